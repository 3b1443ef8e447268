// A frame where the slit has not passed: where g is greater than what is frozen. After curve.glsl.

uniform sampler2D source;
uniform usampler2D values;
uniform int cellShift;
uniform float frozen;

out vec4 texel;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  float g = curve(uintBitsToFloat(texelFetch(values, ivec2(at.x >> cellShift, at.y), 0).r));
  if (!(g > frozen)) discard;
  texel = texelFetch(source, at, 0);
}
