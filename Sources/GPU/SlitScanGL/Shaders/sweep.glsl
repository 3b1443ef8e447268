// A frame where the slit has not passed: where g is greater than what is frozen. After curve.glsl.
//
// STAMPS: the step of the frame in its place.

#ifdef STAMPS
uniform vec4 stamp;
#else
uniform sampler2D source;
#endif
uniform usampler2D values;
uniform int cellShift;
uniform float frozen;

out vec4 texel;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  float g = curve(uintBitsToFloat(texelFetch(values, ivec2(at.x >> cellShift, at.y), 0).r));
  if (!(g > frozen)) discard;
#ifdef STAMPS
  texel = stamp;
#else
  texel = texelFetch(source, at, 0);
#endif
}
