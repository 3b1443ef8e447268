#!/usr/bin/env bash
# Makes the pictures of the recipes in Sources/Command/Render.md, in pictures/recipes, by the commands that stand there.
#
# Needs ffmpeg and imagemagick, and the command `slitscan` in PATH.
set -euo pipefail
cd "$(dirname "$0")"
pictures=$PWD/pictures/recipes
clip=$PWD/footage/bigbuckbunny.mp4
mkdir -p "$pictures"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# keep NAME PICTURES…: they become the picture of a recipe, side by side.
keep() {
  local name=$1
  shift
  convert "$@" -colorspace sRGB -type TrueColor -resize x240 -background white +smush 6 -type TrueColor -quality 85 "$pictures/$name.jpg"
}
# frame FILM NUMBER PICTURE: a frame of a film.
frame() { ffmpeg -v error -y -i "$1" -vf "select=eq(n\,$2)" -frames:v 1 "$3"; }

ffmpeg -v error -i "$clip" -vf scale=640:-2 -an -qp 0 in.mkv

# Displacement: a map of neutral grey, with a bright disc and a dark one.
convert -size 640x360 xc:gray50 -depth 16 \
  \( -size 340x340 radial-gradient:white-gray50 \) -geometry +0+10 -composite \
  \( -size 300x300 radial-gradient:black-gray50 \) -geometry +330+30 -composite \
  -colorspace gray map.png
slitscan render in.mkv -o displaced.mkv --set map=image --set map-location=map.png --set depth=60 \
  --set interpolation=linear --set now=0.5 -q
frame displaced.mkv 58 displaced.png
keep displacement map.png displaced.png

# The Fourth Dimension: a plate that turns.
ffmpeg -v error -f lavfi -i "color=black:s=480x360:r=50:d=6,format=rgb24" -vf "
  geq=r='if(lt(abs(X-240),130*abs(cos(N/25)))*lt(abs(Y-180),160),if(gt(cos(N/25),0),230,60),24)'
  :g='if(lt(abs(X-240),130*abs(cos(N/25)))*lt(abs(Y-180),160),120+60*gt(mod(Y,40),20),24)'
  :b='if(lt(abs(X-240),130*abs(cos(N/25)))*lt(abs(Y-180),160),if(gt(cos(N/25),0),60,220),40)'" -pix_fmt yuv420p -qp 0 turn.mkv
slitscan render turn.mkv -o fourth.mkv --set duration=4s -q
frame turn.mkv 240 turn.png
frame fourth.mkv 240 fourth.png
keep fourth-dimension turn.png fourth.png

# A day, a frame every five minutes: the sun crosses the sky, and windows are lit at night.
day='24*N/288'
light="max(0,sin(PI*($day-6)/12))"
dusk="exp(-pow($day-6,2))+exp(-pow($day-18,2))"
cloud="40*$light*max(0,sin(X/37+N/7)*sin(Y/23+N/31))"
sun="lt(hypot(X-480*($day-6)/12,Y-190+160*$light),13)*gt($light,0)"
window="lt(mod(X,40),14)*lt(mod(Y,24),10)*lt($light,0.15)*gt(mod(floor(X/40)*7+floor(Y/24)*5,4),0)"
house="gt(Y,205-30*mod(floor(X/80)*3,4))"
ffmpeg -v error -f lavfi -i "color=black:s=480x270:r=25,format=rgb24" -frames:v 288 -vf "
  geq=r='if($house,if($window,250,20+90*$light),if($sun,255,min(255,12+90*$light+190*($dusk)*Y/270+$cloud)))'
  :g='if($house,if($window,210,18+80*$light),if($sun,240,min(255,14+150*$light+80*($dusk)*Y/270+$cloud)))'
  :b='if($house,if($window,110,26+70*$light),if($sun,190,min(255,40+200*$light+20*($dusk)+$cloud)))'" -pix_fmt yuv420p -qp 0 day.mkv
mkdir day
ffmpeg -v error -i day.mkv -q:v 2 day/%04d.jpg

slitscan render day.mkv -o slices.mkv --set map=grid --set columns=12 --set rows=1 --set invert=true \
  --set depth=288 --from 287f -q
frame slices.mkv 0 slices.png
frame day.mkv 100 noon.png
keep time-slice noon.png slices.png

slitscan photo day -o keogram.png --frame-rate 1/300 --slit-width 2 --position 0.55 --scale --start-time 0:00 -q
keep keogram keogram.png

# A race: two runners that go to the right, filmed with 100 frames a second.
convert -size 120x60 xc:'#1e1e28' -fill '#dc503c' -draw 'circle 30,25 30,45' -fill white -pointsize 22 \
  -draw "text 56,34 '7'" -fill '#50dc78' -draw 'polygon 88,38 116,49 88,58' one.png
convert one.png -fuzz 20% -fill '#4c8ef0' -opaque '#dc503c' two.png
ffmpeg -v error -f lavfi -i "color=0x143c1e:s=320x180:r=100:d=3" -i one.png -i two.png -filter_complex "
  [0][1] overlay=x=-120+2*n:y=20 [a]; [a][2] overlay=x=-154+2*n:y=100" -metadata creation_time=2026-08-14T12:00:00 \
  -pix_fmt yuv420p -qp 0 race.mp4
frame race.mp4 130 race.png
slitscan photo race.mp4 -o finish.png --position 0.7 --slit-width 2 --direction left --scale \
  --start-time 14:03:27.50 --title "100 m, final, camera 1" -q
keep photo-finish race.png finish.png

# An hour in the middle, in three seconds.
slitscan render in.mkv -o hour.mkv --history-location . --set duration=3s --set map=radial --set invert=true \
  --set gain=8 --set offset=-5.5 --set center-x=0.36 --set center-y=0.45 -q
frame in.mkv 96 now.png
frame hour.mkv 96 hour.png
keep hour now.png hour.png

# Feedback that shrinks, and turns.
slitscan render in.mkv -o tunnel.mkv --set gain=0 --set offset=1 --set depth=6 --set feedback=0.97 --set feedback-zoom=0.82 -q
slitscan render in.mkv -o shell.mkv --set gain=0 --set offset=1 --set depth=4 --set feedback=0.95 --set feedback-zoom=0.8 \
  --set feedback-rotation=15 -q
frame tunnel.mkv 75 tunnel.png
frame shell.mkv 75 shell.png
keep tunnel tunnel.png shell.png

# A long exposure, one that follows the map, and a ramp without steps.
slitscan render in.mkv -o exposure.mkv --set depth=1 --set shutter=24 -q
frame exposure.mkv 58 exposure.png
slitscan render in.mkv -o spotlight.mkv --set depth=1 --set shutter=40 --set shutter-follows-map=true --set map=radial \
  --set gain=2 --set offset=-0.4 --set center-x=0.38 -q
frame spotlight.mkv 58 spotlight.png
slitscan render in.mkv -o ramp.mkv --set angle=90 --set depth=60 --set interpolation=linear --set shutter=8 -q
frame ramp.mkv 58 ramp.png
keep exposure exposure.png spotlight.png ramp.png

# The ages of pixels, and colours by age.
slitscan render in.mkv -o rings.mkv --age age.mkv --set map=radial --set depth=60 --set interpolation=linear \
  --set age-unit=40000 -q
ffmpeg -v error -i rings.mkv -i age.mkv -filter_complex "
  [1]format=yuv444p,pseudocolor=preset=turbo,format=rgb24[c];[0]format=rgb24[f];[f][c]blend=all_mode=softlight" -qp 0 colours.mkv
frame rings.mkv 75 rings.png
frame age.mkv 75 age.png
frame colours.mkv 75 colours.png
keep age rings.png age.png colours.png

# The whole film across the frame: its beginning at the left.
slitscan render in.mkv -o across.mkv --set angle=90 --set invert=true --set depth=132 --from 131f -q
frame across.mkv 0 across.png
keep whole-film across.png
