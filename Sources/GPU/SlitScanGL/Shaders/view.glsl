// A plane of the output from the sheets of the canvas, in perspective. After samples.glsl and sheets.glsl.
//
// MOST_LINES, MOST_POINTS, FARTHEST: the most lines, and points of a line, that are read for a sample, and the age in
// lines at which a footprint ends.

// The walls of a corridor, 0 for a tunnel.
uniform int walls;
// The vanishing point and the size of the output, in pixels.
uniform vec4 view;
// Lines to distance 1.
uniform float depth;
// Points of the slit.
uniform int pointCount;

// The sheet of a channel: its number, samples of it along the slit, and the colour of an empty canvas.
struct Sheet {
  int number;
  float slit;
  float colour;
};

float valueAt(Sheet sheet, int age, int point) {
  int line = (newestPlace - age + keptCount) % keptCount;
  vec4 texel = texelOfSheet(sheet.number, growsRight ? ivec2(line, point) : ivec2(point, line));
  return float(samplesOf(texel).r);
}

// The sum of a line between two places of it.
float sumOfLine(Sheet sheet, int age, float from, float to) {
  if (!(from < to)) return 0.0;
  int last = int(ceil(sheet.slit)) - 1;
  int first = min(int(from), last);
  int end = min(int(ceil(to)), last + 1);
  float sum = 0.0;
  if (end - first > MOST_POINTS) {
    float steps = (to - from) / float(MOST_POINTS);
    for (int i = 0; i < MOST_POINTS; i++) {
      sum += steps * valueAt(sheet, age, int(from + (float(i) + 0.5) * steps));
    }
    return sum;
  }
  for (int point = first; point < end; point++) {
    float weight = min(to, float(point + 1)) - max(from, float(point));
    sum += weight * valueAt(sheet, age, point);
  }
  return sum;
}

// Along the whole footprint: beyond its ends, the slit goes on mirrored, and in a ring it begins again.
float sumAlong(Sheet sheet, int age, vec2 range) {
  float sum = 0.0;
  float turn = floor(range.x / sheet.slit);
  for (int i = 0; i < 4 && turn * sheet.slit < range.y; i++) {
    float from = max(range.x - turn * sheet.slit, 0.0);
    float to = min(range.y - turn * sheet.slit, sheet.slit);
    bool isMirrored = walls != 0 && fract(turn / 2.0) > 0.25;
    sum += isMirrored
      ? sumOfLine(sheet, age, sheet.slit - to, sheet.slit - from) : sumOfLine(sheet, age, from, to);
    turn += 1.0;
  }
  return sum;
}

// The mean of a footprint: ages of lines, and a range of the slit.
float meanOf(Sheet sheet, vec2 ages, vec2 range) {
  float width = range.y - range.x;
  float far = min(ages.y, float(heldCount));
  float rest = ages.y - max(ages.x, far);
  float sum = 0.0;
  if (ages.x < far) {
    int first = int(ages.x);
    int end = int(ceil(far));
    if (end - first > MOST_LINES) {
      float steps = (far - ages.x) / float(MOST_LINES);
      for (int i = 0; i < MOST_LINES; i++) {
        sum += steps * sumAlong(sheet, int(ages.x + (float(i) + 0.5) * steps), range);
      }
    } else {
      for (int age = first; age < end; age++) {
        float weight = min(far, float(age + 1)) - max(ages.x, float(age));
        sum += weight * sumAlong(sheet, age, range);
      }
    }
  }
  if (rest > 0.0) {
    sum += rest * (substitute < 0 ? width * sheet.colour : sumAlong(sheet, substitute, range));
  }
  return sum / (width * (ages.y - ages.x));
}

// The ages of a footprint between two distances from the vanishing point, as fractions of that at the border.
vec2 agesOf(vec2 reach) {
  vec2 ages = (1.0 / max(reach.yx, 1e-12) - 1.0) * depth;
  ages = clamp(ages, 0.0, float(FARTHEST));
  float middle = (ages.x + ages.y) / 2.0;
  return ages.y - ages.x < 1.0 ? vec2(max(middle - 0.5, 0.0), middle + 0.5) : ages;
}

// The distances of a sample across one axis.
vec2 reachOf(float start, float cell, float vanishing, float size) {
  bool isFar = vanishing < size && (vanishing <= 0.0 || start + cell / 2.0 > vanishing);
  float scale = isFar ? size - vanishing : vanishing;
  float inner = isFar ? start - vanishing : vanishing - (start + cell);
  return vec2(inner, inner + cell) / scale;
}

float onWall(Sheet sheet, vec2 reach, float start, float cell, float vanishing, float size) {
  float distance = (max(reach.x, 0.0) + reach.y) / 2.0;
  float scale = sheet.slit / size;
  float middle = (vanishing + (start + cell / 2.0 - vanishing) / distance) * scale;
  float width = cell / distance * scale;
  // Where the slit is small, and goes on again and again, wider footprints blend into its mean.
  if (width > sheet.slit / 32.0) width = 32.0 * width * width / sheet.slit;
  width = clamp(width, min(1.0, 2.0 * sheet.slit), 2.0 * sheet.slit);
  return meanOf(sheet, agesOf(reach), middle + width * vec2(-0.5, 0.5));
}

float inRing(Sheet sheet, vec2 middle, vec2 cell) {
  vec2 at = middle - view.xy;
  float farthest = length(max(view.xy, view.zw - view.xy));
  float distance = length(at);
  float halfCell = (cell.x + cell.y) / 4.0;
  float turn = distance > 0.0 ? fract(atan(at.x, -at.y) / 6.2831853 + 1.0) : 0.0;
  float width = sheet.slit * halfCell / (3.14159265 * max(distance, 1e-6));
  width = clamp(width, min(1.0, sheet.slit), sheet.slit);
  float from = turn * sheet.slit - width / 2.0;
  vec2 reach = vec2(distance - halfCell, distance + halfCell) / farthest;
  return meanOf(sheet, agesOf(reach), vec2(from, from + width));
}

float inCorridor(Sheet sheet, vec2 start, vec2 cell) {
  vec2 across = reachOf(start.x, cell.x, view.x, view.z);
  vec2 down = reachOf(start.y, cell.y, view.y, view.w);
  float share = walls == 2 ? 1.0 : 0.0;
  if (walls == 4) {
    float gap = (across.x + across.y - down.x - down.y) / 2.0;
    share = clamp(0.5 + gap / (across.y - across.x + down.y - down.x), 0.0, 1.0);
  } else if (walls == 1) {
    bool isFloor = view.y < view.w && (view.y <= 0.0 || start.y + cell.y / 2.0 > view.y);
    if (!isFloor) return sheet.colour;
  }
  float value = 0.0;
  if (share > 0.0) value += share * onWall(sheet, across, start.y, cell.y, view.y, view.w);
  if (share < 1.0) value += (1.0 - share) * onWall(sheet, down, start.x, cell.x, view.x, view.z);
  return value;
}

float sampleAt(ivec2 at, int index) {
  vec2 cell = vec2(1 << acrossShift[index], 1 << downShift[index]);
  vec2 start = vec2(at.x >> texelShift[index], at.y) * cell;
  Sheet sheet;
  sheet.number = sheetAt(at, index);
  sheet.slit = float(pointCount) / (growsRight ? cell.y : cell.x);
  sheet.colour = float(samplesOf(colour).r);
#if WORDS < 2
  sheet.colour = float(samplesOf(colour)[index]);
#endif
  float value = walls == 0
    ? inRing(sheet, start + cell / 2.0, cell) : inCorridor(sheet, start, cell);
  uint word = uint(value / float(1u << unusedBits) + 0.5) << unusedBits;
  return texelOf(uvec4(word))[channel[index]];
}

out vec4 texel;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  texel = vec4(sampleAt(at, 0), sampleAt(at, 1), sampleAt(at, 2), sampleAt(at, 3));
}
