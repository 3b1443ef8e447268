// Each texel from the frames of history that its delay selects. After samples.glsl and history.glsl; where frames
// between two follow their motion, after warp.glsl; where exposures follow the map, after exposure.glsl.
//
// LINEAR: blends two frames. MOTION: blends them along their motion. WARMUP: late texels show something else than
// the oldest frame. SHUTTER: the mean of several frames. BY_MAP: of as many as the map says. MIXED: the channels of a
// texel have delays of their own. APART: the channels of a texel are drawn one by one.

uniform usampler2D delays;
uniform int cellShift;
#ifdef APART
uniform int channels;
#endif
// The level of the oldest frame.
uniform uint oldest;
#ifdef WARMUP
// Whether late texels show the newest frame, and else their colour.
uniform bool isLive;
uniform vec4 colour;
uniform vec4 oddColour;
#endif
#if defined SHUTTER && !defined BY_MAP
// Frames that are exposed.
uniform float exposure;
#endif

vec4 between(vec4 newer, vec4 older, uint weight) {
#if WORDS == 0
  return newer + (older - newer) * (float(weight) / 4096.0);
#else
  uvec4 sum = samplesOf(newer) * (4096u - weight) + samplesOf(older) * weight;
  return texelOf((sum + (2048u << unusedBits)) >> (12u + unusedBits) << unusedBits);
#endif
}

vec4 moment(uint delay, ivec2 at, int channel) {
  uint level = min(delay >> 12u, oldest);
#if defined MOTION
  int weight = level < oldest ? int(delay & 4095u) : 0;
  if (weight == 0) return texelAgo(int(level), at);
  return along(int(level), weight, at, channel);
#elif defined LINEAR
  return between(
    texelAgo(int(level), at), texelAgo(int(min(level + 1u, oldest)), at), delay & 4095u);
#else
  return texelAgo(int(level), at);
#endif
}

vec4 shown(uint delay, ivec2 at, int channel) {
#ifdef WARMUP
  bool isLate = delay > oldest << 12u;
  if (isLate && !isLive) return (at.x & cellShift) == 0 ? colour : oddColour;
  if (isLate) return texelAgo(0, at);
#endif
#ifdef SHUTTER
#ifdef BY_MAP
  float exposure = exposureOf(ivec2(at.x >> cellShift, at.y));
#endif
  int exposed = int(exposure);
  vec4 sum = vec4(0.0);
  int count = 0;
  // Where there is no older frame, the oldest stands for those before it.
  for (; count < exposed && (delay >> 12u) + uint(count) < oldest; count++)
    sum += vec4(samplesOf(moment(delay + (uint(count) << 12u), at, channel)));
  vec4 last = vec4(samplesOf(moment(delay + (uint(count) << 12u), at, channel)));
  sum += last * (exposure - float(count));
  float share = 1.0 / (exposure * float(1u << unusedBits));
  return texelOf(uvec4(sum * share + 0.5) << unusedBits);
#else
  return moment(delay, at, channel);
#endif
}

out vec4 texel;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
#ifdef MIXED
  uvec4 delay = texelFetch(delays, at, 0);
#else
  uvec4 delay = texelFetch(delays, ivec2(at.x >> cellShift, at.y), 0).rrrr;
#endif
#ifdef APART
  texel = vec4(0.0);
  // As many as the format has.
  for (int channel = 0; channel < channels; channel++) texel[channel] = shown(delay[channel], at, channel)[channel];
#else
  texel = shown(delay.r, at, 0);
#endif
}
