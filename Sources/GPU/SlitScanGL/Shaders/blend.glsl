// One frame moved towards another. After samples.glsl.

uniform sampler2D source;
uniform sampler2D other;
// In 1/65536.
uniform uint weight;
uniform bool isRounded;

out vec4 texel;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  uvec4 from = samplesOf(texelFetch(source, at, 0));
  texel = texelOf(towards(from, samplesOf(texelFetch(other, at, 0)), weight, isRounded));
}
