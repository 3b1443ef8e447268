ffmpeg -v error -i film.mp4 -vf scale=640:360 -f rawvideo -pix_fmt rgba - |
  swift run -c release Embed 640 360 |
  ffplay -v error -f rawvideo -pixel_format rgba -video_size 640x360 -framerate 25 -
