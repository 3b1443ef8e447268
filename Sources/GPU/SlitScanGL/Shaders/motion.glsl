// Motion: 1 where luma has changed, else the mean of the last field around, less the decay.

uniform usampler2D values;
uniform usampler2D before;
uniform usampler2D field;
uniform float threshold;
uniform float decay;

float fieldAt(ivec2 at) {
  return uintBitsToFloat(texelFetch(field, at, 0).r);
}

out uint value;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  ivec2 last = textureSize(values, 0) - 1;
  float luma = uintBitsToFloat(texelFetch(values, at, 0).r);
  float change = abs(luma - uintBitsToFloat(texelFetch(before, at, 0).r));
  float sum = fieldAt(ivec2(max(at.x - 1, 0), at.y)) + fieldAt(ivec2(min(at.x + 1, last.x), at.y));
  sum += fieldAt(ivec2(at.x, max(at.y - 1, 0)));
  sum += fieldAt(ivec2(at.x, min(at.y + 1, last.y)));
  value = floatBitsToUint(change > threshold ? 1.0 : max(sum / 4.0 - decay, 0.0));
}
