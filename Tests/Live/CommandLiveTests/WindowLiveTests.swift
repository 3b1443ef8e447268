// Tests of the windows of `slitscan live`, on two displays, under a desktop.

import CommandUnderTest
import Foundation
import TemporaryFolder
import Testing

@Suite(.serialized, .enabled(if: Command.isPrepared)) struct WindowLiveTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }
  private let live = "\(Command.slitscan) live"

  /// The shell functions of these tests.
  private var tools: String {
    """
    export XDG_CONFIG_HOME=$PWD/config
    begin() {
      \(live) "$@" --size 320x240 --fps 30 > said.txt 2>&1 & show=$!
    }
    give_up() {
      echo "never: $1"; cat said.txt; xwininfo -root -tree | grep -i slitscan
      import -window root given-up.png
      kill -KILL $show; exit 1
    }
    windows() { xdotool search --onlyvisible --name '^slitscan [0-9]*: '; }
    # The place of a window: WxH+X+Y.
    place() {
      xwininfo -id $1 | awk '
        /Absolute upper-left X/ { x = $4 } /Absolute upper-left Y/ { y = $4 }
        /Width:/ { w = $2 } /Height:/ { h = $2 } END { print w "x" h "+" x "+" y }'
    }
    places() { for id in $(windows); do place $id; done; }
    is_at() { places | grep -qx -- "$1"; }
    # has X Y RED GREEN BLUE: whether a point of the desktop has nearly that colour.
    has() {
      import -window root shot.png
      convert shot.png -crop 1x1+$1+$2 +repage -depth 8 rgb:- | od -An -tu1 |
        awk -v r=$3 -v g=$4 -v b=$5 'function near(a, b) { return a - b < 24 && b - a < 24 }
          { exit !(near($1, r) && near($2, g) && near($3, b)) }'
    }
    end() { kill -INT $show; until_true '! kill -0 $show'; wait $show; }

    """
  }

  private func play(_ script: String) async throws {
    try await Command.play(
      script: tools + script, in: folder, under: "TwoDisplays/with-displays.sh")
  }

  @Test(arguments: [
    ("fullscreen", "640x480+0+0"), ("fullscreen:1", "640x480+0+0"),
    ("fullscreen:2", "640x480+640+0"), ("fullscreen:dummy1", "640x480+640+0"),
  ]) func aFullScreenFillsItsDisplayWithTheFrame(output: String, place: String) async throws {
    try await play(
      """
      begin pattern:blue --set depth=1 --output \(output)
      until_true 'is_at \(place)'
      # In each corner: four to three are four to three.
      x=$(echo \(place) | cut -d + -f 2)
      until_true "has $((x + 5)) 5 0 0 255 && has $((x + 634)) 474 0 0 255"
      # Nowhere else.
      has $(((x + 645) % 1280)) 5 0 0 255 && give_up 'the other display is another'
      end
      """)
  }

  // Not glimagesink: where its window gets another size before its first frame, it may show nothing.
  @Test(arguments: ["xvimagesink", "ximagesink"])
  func aFrameFitsIntoItsWindow(sink: String) async throws {
    // A sink that this X server has no means for is passed over for the next.
    try await play(
      """
      export GST_PLUGIN_FEATURE_RANK=\(sink):MAX
      begin pattern:blue --set depth=1 --output window:2
      until_true '[ $(windows | wc -l) = 1 ]'
      until_true 'places | grep -q ^400x100' 'xdotool windowsize $(windows) 400 100'
      IFS=x+ read -r width height x y <<< "$(places)"
      [ $x -ge 640 ] || give_up 'it is on the second display'
      # 133 pixels wide in the middle, black on both sides.
      until_true "has $((x + 200)) $((y + 50)) 0 0 255 && has $((x + 200)) $((y + 3)) 0 0 255 \\
        && has $((x + 20)) $((y + 50)) 0 0 0 && has $((x + 380)) $((y + 50)) 0 0 0"
      end
      """)
  }

  @Test func keysAndADoubleClickMakeAWindowFullScreenAndBack() async throws {
    try await play(
      """
      begin pattern:blue --output window:2
      until_true '[ $(windows | wc -l) = 1 ] && ! is_at 640x480+640+0'
      small=$(places)
      xdotool windowfocus $(windows)
      xdotool key F11; until_true 'is_at 640x480+640+0'
      xdotool key F11; until_true 'is_at $small'
      xdotool key F; until_true 'is_at 640x480+640+0'
      xdotool key F; until_true 'is_at $small'
      # A third click, where the second comes too late on a busy machine, and no fourth, which would be one too many.
      xdotool mousemove 960 240 click --repeat 3 --delay 50 1; until_true 'is_at 640x480+640+0'
      # Other keys are the show's.
      until_true 'grep -q ^map said.txt' 'xdotool key n'
      until_true 'grep -q ^angle said.txt' 'xdotool key Right'
      end
      """)
  }

  @Test func thePointerMovesTheEffectWhereItIsInTheFrame() async throws {
    // A strip of a test card, whose upper part has seven bars: the slit is where the pointer is.
    try await play(
      """
      begin pattern:smpte75 --output fullscreen:2 --set mode=strip --set angle=90 \\
        --set canvas-length=320 --set slit-width=8 --set pointer=true
      until_true 'is_at 640x480+640+0'
      until_true "has 960 100 191 0 0" \\
        'xdotool mousemove $((640 + 640 * 11 / 14)) 200 mousemove_relative 1 0; sleep 0.5'
      until_true "has 960 100 191 191 0" \\
        'xdotool mousemove $((640 + 640 * 3 / 14)) 200 mousemove_relative 1 0; sleep 0.5'
      end
      """)
  }

  @Test func aWindowThatIsClosedComesBackAndClosingTheLastOneAsks() async throws {
    try await play(
      """
      begin pattern:blue --output window:1 --output fullscreen:2
      until_true '[ $(windows | wc -l) = 2 ] && is_at 640x480+640+0'
      for id in $(windows); do [ "$(place $id)" = 640x480+640+0 ] && large=$id || small=$id; done
      # openbox's own key for closing.
      xdotool mousemove 320 240 click 1
      until_true '[ "$(xdotool getwindowfocus)" = $small ]'
      xdotool key alt+F4
      until_true '[ "$(windows)" = $large ]'
      until_true "grep -q '^! window:1: The window was closed' said.txt"
      xdotool mousemove 960 240 click 1
      until_true '[ "$(xdotool getwindowfocus)" = $large ]'
      # The key that opens it again, in the window that is left.
      until_true '[ $(windows | wc -l) = 2 ]' 'xdotool key e'
      until_true 'grep -q "^Output 1 is open: window:1" said.txt && has 320 240 0 0 255'
      for id in $(windows); do [ "$(place $id)" = 640x480+640+0 ] || xdotool windowfocus $id; done
      xdotool key alt+F4
      until_true '[ "$(windows)" = $large ]'
      xdotool windowfocus $large key alt+F4
      until_true 'grep -q "^Close the window again to end the show" said.txt'
      kill -0 $show && has 960 240 0 0 255 || give_up 'the show goes on, in its window'
      # So long after the first that it asks again.
      sleep 4
      xdotool key alt+F4
      until_true '[ $(grep -c "^Close the window again" said.txt) = 2 ]'
      kill -0 $show || give_up 'the show goes on after four seconds'
      xdotool key alt+F4
      wait $show || give_up 'a good end'
      """)
  }

  @Test func theLiveScreenCountsTheFramesThatAppearInTheWindow() async throws {
    // Some eleven frames a second of thirty appear.
    try await play(
      """
      mkfifo keys; exec 3<>keys
      script -qfc "stty cols 100 rows 30; \(live) pattern:snow --set depth=1 --size 320x240 --fps 30 \\
        --output 'sink:identity sleep-time=90000 ! ximagesink' --duration 20s" screen.txt < keys > /dev/null & show=$!
      until_true 'grep -aq "longest gap" screen.txt'
      IFS=x+ read -r width height x y <<< "$(place $(xdotool search --onlyvisible --name '^slitscan$'))"
      sleep 2
      ffmpeg -v error -f x11grab -draw_mouse 0 -framerate 50 -video_size 64x64 -i $DISPLAY+$x,$y -t 6 \\
        -fps_mode passthrough -f framemd5 - > grabbed.txt
      grep -ao '[0-9.]* frames/s, dropped [0-9]*' screen.txt | tail -1 | tr -d , > counted.txt
      awk '/^0/ { frames += $NF != last; last = $NF } END { print frames / 6 }' grabbed.txt >> counted.txt
      cat counted.txt
      awk 'NR == 1 { counted = $1; dropped = $4 } NR == 2 { grabbed = $1 }
        END { exit !(grabbed > 4 && grabbed < 14 && dropped > 90 && counted - grabbed < 4 && grabbed - counted < 4) }' \\
        counted.txt || give_up 'the same frames a second'
      wait $show
      """)
  }

  @Test func windowsLieSideBySideAndComeBackWhereTheyWere() async throws {
    try await play(
      """
      begin pattern:blue --output window:1 --output window:1 --output window:2
      until_true '[ $(windows | wc -l) = 3 ]'
      first=$(xdotool search --name '^slitscan 1: window:1$')
      second=$(xdotool search --name '^slitscan 2: window:1$')
      third=$(xdotool search --name '^slitscan 3: window:2$')
      IFS=x+ read -r width height x y <<< "$(place $first)"
      IFS=x+ read -r other_width other_height other_x other_y <<< "$(place $second)"
      [ $((x + width)) -le $other_x ] || [ $((y + height)) -le $other_y ] ||
        give_up "side by side, $(places)"
      [ $((other_x + other_width)) -le 640 ] || give_up "on the first display, $(places)"
      [ "$(place $third)" != "$(place $first)" ] || give_up 'the third is on the second display'
      # Onto the other display, and as full screen.
      xdotool windowsize $second 200 150 windowmove $second 700 300
      until_true 'place $second | grep -qx 200x150+7..+3..'
      spot=$(place $second)
      xdotool windowfocus $third key F11
      until_true 'is_at 640x480+640+0'
      xdotool windowfocus $third key alt+F4
      until_true '[ $(windows | wc -l) = 2 ]'
      xdotool windowfocus $second
      until_true 'is_at 640x480+640+0' 'xdotool key e'
      # Also after a crash.
      until_true 'grep -q "^2 of 3: 200x150.* on 2 " config/slitscan/windows'
      kill -KILL $show; wait $show || true
      # On the display that its word names: where it was put there before, or beside the other.
      begin pattern:blue --output window --output window --output window
      until_true '[ $(windows | wc -l) = 3 ]'
      until_true 'is_at $spot'
      end
      """)
  }

  // windowclose destroys one window; windowkill, as xkill, closes the connection that opened them all.
  @Test(arguments: [("windowclose", 1), ("windowkill", 0)])
  func aWindowThatIsDestroyedEndsNeitherTheShowNorItsRecording(
    destroy: String, left: Int
  ) async throws {
    try await play(
      """
      echo '0.1 record on take.mkv' > show.txt
      port=$(free_port)
      begin pattern:ball --set depth=1 --output window:1 --output fullscreen:2 --replay show.txt --osc $port
      until_true '[ $(windows | wc -l) = 2 ] && is_at 640x480+640+0'
      for id in $(windows); do [ "$(place $id)" = 640x480+640+0 ] && large=$id || small=$id; done
      until_true '[ -s take.mkv ]'
      xdotool \(destroy) $small
      until_true "grep -q '^! window:1: The window system destroyed the window' said.txt"
      until_true '[ $(windows | wc -l) = \(left) ]'
      # A frame later than the one before.
      goes_on() { before=$(look); until_true '[ "$(look)" != "$before" ]'; }
      look() { import -window root png:- | md5sum; }
      [ \(left) = 0 ] || { goes_on; goes_on; }
      # The show takes moves, and the recording frames.
      size=$(stat -c %s take.mkv)
      until_true '[ $(stat -c %s take.mkv) -gt $((size + 20000)) ]'
      kill -0 $show || give_up 'the show goes on'
      # It comes back, though as a window of another connection where that one is gone.
      oscsend 127.0.0.1 $port /slitscan/output is 1 reopen
      [ \(left) = 0 ] || until_true '[ $(windows | wc -l) = 2 ]'
      until_true 'grep -q "^Output 1 is open" said.txt'
      goes_on; goes_on
      end || give_up 'a good end'
      cat said.txt
      frames=$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 take.mkv)
      [ "$frames" -gt 30 ] || give_up "frames in the recording, $frames"
      # Written when the file is complete.
      ffprobe -v error -show_entries format=duration -of csv=p=0 take.mkv | grep -q '^[1-9]' ||
        give_up 'a duration in the recording'
      """)
  }

  @Test func aMissingDisplayIsReportedWithTheOthers() async throws {
    try await play(
      """
      begin pattern:blue --output fullscreen:3
      wait $show && give_up 'an error'
      grep -q 'There is no display 3. There are: 1 (DUMMY0.*640x480), 2 (DUMMY1.*640x480)' \\
        said.txt || give_up 'a sentence'
      \(Command.slitscan) devices --json | grep '"kind":"display"' > displays.txt
      grep -q '"name":"DUMMY1.*","number":2.*"sizes":\\["640x480"\\]' displays.txt || {
        cat displays.txt; give_up 'a list'
      }
      """)
  }

  @Test func aDisplayThatIsPulledOutEndsNothingAndGetsItsWindowBack() async throws {
    try await play(
      """
      port=$(free_port)
      begin pattern:blue --output fullscreen:2 --osc $port
      until_true 'is_at 640x480+640+0'
      xrandr --output DUMMY1 --off
      # Wherever the desktop puts it, it is still there, and plays.
      until_true 'grep -q ^map said.txt' 'xdotool windowfocus $(windows) key n'
      xdotool windowclose $(windows)
      until_true '[ -z "$(windows)" ]'
      reopen() { oscsend 127.0.0.1 $port /slitscan/output "$@"; }
      until_true 'grep -q "There is no display 2.*1 (DUMMY0.*output 1 reopen 1" said.txt' 'reopen i 1'
      reopen isi 1 reopen 1; until_true 'is_at 640x480+0+0 && has 320 240 0 0 255'
      xrandr --output DUMMY1 --mode 640x480 --pos 640x0
      until_true 'is_at 640x480+640+0 && has 960 240 0 0 255' 'reopen isi 1 reopen 2; sleep 1'
      until_true '[ $(windows | wc -l) = 1 ]'
      end
      """)
  }
}
