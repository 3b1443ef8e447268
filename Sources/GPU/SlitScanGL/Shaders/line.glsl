// A frame with a line where the slit of a sweep is. After curve.glsl and samples.glsl.

uniform sampler2D source;
uniform usampler2D values;
uniform int cellShift;
// p, and half the line's width in cells, across and down.
uniform float position;
uniform float halfAcross;
uniform float halfDown;
uniform uint weight;
uniform vec4 colour;
uniform vec4 oddColour;

float valueAt(ivec2 cell) {
  return curve(uintBitsToFloat(texelFetch(values, cell, 0).r));
}

// The smaller step to the two neighbours; at the border there is only one, or none.
float smallerStep(float g, ivec2 cell, ivec2 way, int place, int count) {
  float back = abs(g - valueAt(cell - (place > 0 ? way : ivec2(0))));
  float forth = abs(g - valueAt(cell + (place + 1 < count ? way : ivec2(0))));
  return place == 0 ? forth : place + 1 == count ? back : min(back, forth);
}

out vec4 texel;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  ivec2 cell = ivec2(at.x >> cellShift, at.y);
  ivec2 size = textureSize(values, 0);
  float g = valueAt(cell);
  float across = halfAcross * smallerStep(g, cell, ivec2(1, 0), cell.x, size.x);
  float down = halfDown * smallerStep(g, cell, ivec2(0, 1), cell.y, size.y);
  float distance = g - position;
  texel = texelFetch(source, at, 0);
  if (distance * distance <= apart(across * across) + apart(down * down)) {
    uvec4 line = samplesOf((at.x & cellShift) == 0 ? colour : oddColour);
    texel = texelOf(towards(samplesOf(texel), line, weight, true));
  }
}
