# The parts of Tests/run.sh --thorough that only it runs, in three lanes. To be sourced by it.
# shellcheck shell=bash disable=SC2154

# Where the plugins to ship are, and the command.
plugins=$results/plugins
command=$PWD/.build-command/release/slitscan

# All random cases, and the programs that stress the element, with the plugin's optimized code.
elements() (
  yield
  SLITSCAN_PLUGIN_PATH=$plugins modules ", all random cases" SlitScanCaptureTests SlitScanTests
  export SLITSCAN_TEST_PLUGIN=1 GST_PLUGIN_PATH=$plugins
  modules " with the plugin" ElementTests PipelineTests
  part "an hour of video" own "$folder/ElementProgram" soak 60 || true
  part "10,000 elements" own "$folder/ElementProgram" lifecycle 10000 || true
  part "200 elements, leaks" own Tests/Live/ElementProgram/leaks.sh "$folder/ElementProgram" lifecycle 200 || true
  # GLib ends a process that gets no memory, which the program expects.
  part "limits" own env SWIFT_BACKTRACE=enable=no "$folder/ElementProgram" limits || true
  part "stress, leaks" own Tests/Live/ElementProgram/leaks.sh "$folder/ElementProgram" stress 20 || true
  part "fuzzing" Tests/Live/fuzz.sh -max_total_time=30 || true
)

# What builds or computes.
programs() (
  yield
  # On the GPU, which here is Mesa's software.
  (
    export SLITSCAN_TEST_ELEMENT=glslitscan GST_GL_PLATFORM=egl GST_GL_WINDOW=egl-device
    export GALLIVM_PERF=nopt LP_NATIVE_VECTOR_WIDTH=128
    SLITSCAN_TEST_SAMPLE=16 modules " on the GPU" ElementTests PipelineTests
    GST_GL_API=gles2 modules " in OpenGL ES" SlitScanGLTests
  )
  part "documentation" env SLITSCAN_BUILD_OPTIONS="${build[*]}" Tests/Live/documentation.sh || true
  part "traps" Tests/Live/traps.sh || true
  part "inner loops on ARM" Tests/Live/KernelProgram/run.sh || true
  part "system calls of the plugin" own Tests/Live/system-calls.sh "$plugins/libgstslitscan.so" || true
  part "scenarios of gst-validate" own env SLITSCAN_PLUGIN_PATH="$plugins" Tests/Live/validate/run.sh || true
  part "C and Python examples" env GST_PLUGIN_PATH="$plugins" examples/try-c-python.sh || true
  # As other packages build it, which do not have SwiftPM take flags of its own.
  part "public API" env -u SLITSCAN_STRICT Tests/Live/api-changes.sh || true
  part "Swift examples" env -u SLITSCAN_STRICT examples/try-swift.sh || true
  part "packages in other releases" clean_roots trixie testing || true
  part "apt repository" meson-shim/tests/repository.sh .build-deb/packages/*.deb || true
  part "Flatpak extension" meson-shim/tests/flatpak.sh || true
  part "installing from source" meson-shim/tests/install.sh || true
  part "releases" env -u SLITSCAN_STRICT meson-shim/tests/release.sh || true
  part "meson" meson-shim/tests/module.sh -Dcommand=enabled \
    -Dswift-scratch-path="$PWD/.build-plugin" -Dcommand-scratch-path="$PWD/.build-command" || true
  part "peers of the benchmarks" own Tests/Benchmarks/peers.py --plugin "$plugins" \
    --size 320x180 --depth 20 --runs 1 --seconds 0.2 || true
  # A package of its own, in the folder of the tests, where it finds the modules of the effect and the overlay.
  part "benchmarks, build" build_tests "${build[@]}" --package-path Tests/Benchmarks || exit 0
  program=$folder/benchmarksPackageTests.xctest
  tests "benchmarks" || true
)

# What plays in real time. It has the processor before the other lanes, which yield.
live() (
  export SLITSCAN_PLUGIN_PATH=$plugins SLITSCAN_TEST_COMMAND=$command
  for module in Tests/Live/*LiveTests; do tests "${module##*/}" --filter "^${module##*/}\\." || true; done
  part "remote in a browser" own Tests/Live/RemoteProgram/try-page.sh "$folder/RemoteProgram" || true
  part "a long show" own Tests/Live/Shows/long-show.py "$command" 40 || true
  part "keys in a show" own Tests/Live/Shows/key-to-frame.py "$command" 20 --fps 5 || true
)
