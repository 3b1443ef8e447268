// The luma of each pixel, from one component or from red, green and blue. After samples.glsl.

uniform sampler2D source;
uniform sampler2D other;
uniform sampler2D third;
uniform int partCount;
// For each component: the sample of its texel, black, the range to white or its inverse, and its share.
uniform bool isScaled;
uniform ivec4 channel;
uniform vec4 black;
uniform vec4 range;
uniform vec4 share;
uniform uint zero;

float part(vec4 texel, int index) {
  float above = float(samplesOf(texel)[channel[index]]) - black[index];
  float luma = clamp(isScaled ? above * range[index] : above / range[index], 0.0, 1.0);
  return uintBitsToFloat(floatBitsToUint(luma * share[index]) ^ zero);
}

out uint value;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  float luma = part(texelFetch(source, at, 0), 0);
  if (partCount == 3) {
    luma += part(texelFetch(other, at, 0), 1);
    luma += part(texelFetch(third, at, 0), 2);
  }
  value = floatBitsToUint(luma);
}
