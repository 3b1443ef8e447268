// A map's image at the cells of a plane, between its pixels by bilinear interpolation.

uniform usampler2D values;
// For each column, and each row, of cells: the pixel before, and the weight of the one after.
uniform usampler2D columns;
uniform usampler2D rows;
uniform uint zero;

float between(float one, float two, float weight) {
  return one + uintBitsToFloat(floatBitsToUint(weight * (two - one)) ^ zero);
}

float rowAt(ivec2 at, int next, float weight) {
  float left = uintBitsToFloat(texelFetch(values, at, 0).r);
  return between(left, uintBitsToFloat(texelFetch(values, ivec2(next, at.y), 0).r), weight);
}

out uint value;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  ivec2 last = textureSize(values, 0) - 1;
  uvec2 column = texelFetch(columns, ivec2(at.x, 0), 0).rg;
  uvec2 row = texelFetch(rows, ivec2(at.y, 0), 0).rg;
  int next = min(int(column.r) + 1, last.x);
  float across = uintBitsToFloat(column.g);
  float upper = rowAt(ivec2(column.r, row.r), next, across);
  float lower = rowAt(ivec2(int(column.r), min(int(row.r) + 1, last.y)), next, across);
  value = floatBitsToUint(between(upper, lower, uintBitsToFloat(row.g)));
}
