// The pixels under the points of a slit, where a map has no line of one value: in each column the
// uppermost of those whose f is nearest to the position.

uniform usampler2D values;
uniform float position;
// Lines of the slit.
uniform int lineCount;

out ivec4 pixel;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  int height = textureSize(values, 0).y;
  int nearest = 0;
  float least = 1e30;
  for (int row = 0; row < height; row++) {
    float distance = abs(uintBitsToFloat(texelFetch(values, ivec2(at.x, row), 0).r) - position);
    if (distance < least) {
      least = distance;
      nearest = row;
    }
  }
  // In half pixels, as the lines of an even number lie between two.
  int y = 2 * nearest + 1 + 2 * at.y - (lineCount - 1);
  pixel = y >= 0 && y < 2 * height ? ivec4(at.x, y >> 1, 0, 0) : ivec4(-1);
}
