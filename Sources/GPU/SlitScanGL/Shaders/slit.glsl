// The samples of one component under a slit, as lines of its sheet of the canvas.

uniform sampler2D source;
// The pixel under each point, along a line and from line to line; negative outside the frame.
uniform isampler2D points;
uniform bool growsRight;
// The place on the sheet of the first line.
uniform int first;
// Bytes: from the start of a row to the first sample, from sample to sample, of a texel, of a channel.
uniform ivec4 bytes;
uniform ivec2 shift;
uniform vec4 colour;

out vec4 texel;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  int line = (growsRight ? at.x : at.y) - first;
  int along = growsRight ? shift.y : shift.x;
  int middle = ((growsRight ? at.y : at.x) << along) + ((1 << along) >> 1);
  ivec2 pixel = texelFetch(points, ivec2(min(middle, textureSize(points, 0).x - 1), line), 0).rg;
  if (pixel.x < 0) {
    texel = colour;
    return;
  }
  int start = bytes.x + (pixel.x >> shift.x) * bytes.y;
  vec4 found = texelFetch(source, ivec2(start / bytes.z, pixel.y >> shift.y), 0);
  int channel = start % bytes.z / bytes.w;
  texel = vec4(found[channel], found[min(channel + 1, 3)], 0.0, 0.0);
}
