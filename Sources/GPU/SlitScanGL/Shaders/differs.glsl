// Leaves only texels that differ between two frames by more than 1/100 of white. After samples.glsl.

uniform sampler2D source;
uniform sampler2D other;
// White, and 0 for channels of padding.
uniform uint whiteLevel;
uniform uvec4 counts;

out vec4 texel;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  uvec4 one = samplesOf(texelFetch(source, at, 0));
  uvec4 two = samplesOf(texelFetch(other, at, 0));
  uvec4 differences = (max(one, two) - min(one, two)) * counts;
  if (all(lessThanEqual(differences * 100u, uvec4(whiteLevel)))) discard;
  texel = vec4(0.0);
}
