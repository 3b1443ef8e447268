// Leaves only cells that show something of frames older than a level.
//
// MIXED: the channels of a texel have delays of their own.

uniform usampler2D delays;
uniform uint oldest;

out vec4 texel;

void main() {
  uvec4 delay = texelFetch(delays, ivec2(gl_FragCoord.xy), 0);
#ifndef MIXED
  delay = delay.rrrr;
#endif
  if (all(lessThanEqual(delay, uvec4(oldest << 12u)))) discard;
  texel = vec4(0.0);
}
