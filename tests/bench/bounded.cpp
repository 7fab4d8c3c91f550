// The search of verifier/search/bounded/plain.py once more, written the plain way, as a measure of its speed.
// Input: the number of fields; for each the 9 fields after his marks, the 9 after hers, the 4 coarse ones, the mask of
// free spots and the need; then races: nine fields, the active field, the marks, 1 where Xavier is to move.
// Output: for each race whether Xavier wins, the nodes, and the seconds.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr int kAny = 9, kNever = 100, kMoves = 81;
constexpr int kLines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

struct Field {
  int16_t after_x[9], after_o[9], coarse[4], free, need;
};
struct Race {
  uint16_t field[9];
  int active;
};
struct Entry {
  uint64_t first, second;
};

std::vector<Field> fields;
std::vector<Entry> memory(1 << 24);
uint64_t nodes = 0;

void needs(const Race& race, int* need) {
  for (int f = 0; f < 9; f++) need[f] = fields[race.field[f]].need;
}

int least(const Race& race) {
  int need[9], found = kNever;
  needs(race, need);
  for (auto& line : kLines) {
    int total = need[line[0]] + need[line[1]] + need[line[2]];
    if (total < found) found = total;
  }
  return found;
}

int least_from(const Race& race) {
  if (race.active == kAny) return least(race);
  int need[9], found = kNever, a = race.active;
  needs(race, need);
  for (auto& line : kLines) {
    int total = need[line[0]] + need[line[1]] + need[line[2]];
    if (!need[a] || (line[0] != a && line[1] != a && line[2] != a)) total++;
    if (total < found) found = total;
  }
  return found;
}

int count_helpful(const Race& race, int marks) {
  int need[9], best[9], base = kNever, total = 0;
  needs(race, need);
  for (int& b : best) b = kNever;
  for (auto& line : kLines) {
    int sum = need[line[0]] + need[line[1]] + need[line[2]];
    if (sum < base) base = sum;
    for (int f : line)
      if (sum < best[f]) best[f] = sum;
  }
  int lo = race.active == kAny ? 0 : race.active, hi = race.active == kAny ? 9 : race.active + 1;
  for (int f = lo; f < hi; f++) {
    const Field& field = fields[race.field[f]];
    if (base < marks) {
      total += __builtin_popcount(field.free);
    } else if (best[f] <= marks) {
      for (int free = field.free; free; free &= free - 1)
        total += fields[field.after_x[__builtin_ctz(free)]].need < need[f];
    }
  }
  return total;
}

void key(const Race& race, int marks, uint64_t& first, uint64_t& second) {
  int need[9], spare[9] = {}, coarse[9];
  needs(race, need);
  for (auto& line : kLines) {
    int rest = marks - need[line[0]] - need[line[1]] - need[line[2]];
    if (rest >= 0)
      for (int f : line)
        if (need[f] + rest > spare[f]) spare[f] = need[f] + rest;
  }
  for (int f = 0; f < 9; f++) coarse[f] = fields[race.field[f]].coarse[spare[f] > 3 ? 3 : spare[f]];
  first = uint64_t(marks) << 5 | (coarse[8] & 31);
  second = uint64_t(race.active) << 8 | coarse[8] >> 5;
  for (int f = 0; f < 4; f++) first = first << 13 | coarse[f], second = second << 13 | coarse[f + 4];
}

uint64_t spread(uint64_t first, uint64_t second) {
  uint64_t h = first * 0x9E3779B97F4A7C15ULL ^ (second + 0x7F4A7C15) * 0xC2B2AE3D27D4EB4FULL;
  h ^= h >> 29;
  h *= 0xBF58476D1CE4E5B9ULL;
  return h ^ h >> 32;
}

Race play(const Race& race, int f, int s, bool is_xavier) {
  Race after = race;
  after.field[f] = (is_xavier ? fields[race.field[f]].after_x : fields[race.field[f]].after_o)[s];
  after.active = fields[after.field[s]].free ? s : kAny;
  return after;
}

struct Moves {
  int count = 0, score[kMoves], move[kMoves];
  void insert(int value, int f, int s) {
    int i = count++;
    for (; i > 0 && score[i - 1] > value; i--) score[i] = score[i - 1], move[i] = move[i - 1];
    score[i] = value, move[i] = 9 * f + s;
  }
};

bool is_lost(const Race& race, int marks);

bool wins(const Race& race, int marks) {
  if (least_from(race) > marks) return false;
  nodes++;
  uint64_t first = 0, second = 0;
  Entry* entry = nullptr;
  if (marks >= 4) {
    key(race, marks, first, second);
    entry = &memory[spread(first, second) & (memory.size() - 1)];
    if ((entry->first & ~(1ULL << 62)) == first && entry->second == second) return entry->first != first;
  }
  Moves moves;
  bool is_won = false;
  int lo = race.active == kAny ? 0 : race.active, hi = race.active == kAny ? 9 : race.active + 1;
  for (int f = lo; f < hi && !is_won; f++)
    for (int free = fields[race.field[f]].free; free && !is_won; free &= free - 1) {
      int s = __builtin_ctz(free), need = least(play(race, f, s, true));
      is_won = need == 0;
      if (need < marks) moves.insert(need, f, s);
    }
  for (int i = 0; i < moves.count && !is_won; i++)
    is_won = is_lost(play(race, moves.move[i] / 9, moves.move[i] % 9, true), marks - 1);
  if (entry) *entry = {is_won ? first | 1ULL << 62 : first, second};
  return is_won;
}

bool is_lost(const Race& race, int marks) {
  if (least(race) > marks) return false;
  nodes++;
  Moves moves;
  int lo = race.active == kAny ? 0 : race.active, hi = race.active == kAny ? 9 : race.active + 1;
  for (int f = lo; f < hi; f++)
    for (int free = fields[race.field[f]].free; free; free &= free - 1) {
      int s = __builtin_ctz(free);
      Race after = play(race, f, s, false);
      int need = least_from(after), score = -10 * need;
      if (need > marks) return false;
      if (marks > 1)
        score = 1000 * (marks - need) + 10 * count_helpful(after, marks) + (after.active == kAny ? 500 : 0);
      moves.insert(score, f, s);
    }
  for (int i = 0; i < moves.count; i++)
    if (!wins(play(race, moves.move[i] / 9, moves.move[i] % 9, false), marks)) return false;
  return moves.count > 0;
}

bool read(int& value) { return std::scanf("%d", &value) == 1; }

}  // namespace

int main() {
  int size, value;
  if (!read(size)) return 1;
  fields.resize(size);
  for (Field& field : fields)
    for (int i = 0; i < 24; i++) {
      if (!read(value)) return 1;
      reinterpret_cast<int16_t*>(&field)[i] = int16_t(value);
    }
  while (read(value)) {
    Race race;
    int marks, is_xavier;
    race.field[0] = uint16_t(value);
    for (int f = 1; f < 9; f++) {
      if (!read(value)) return 1;
      race.field[f] = uint16_t(value);
    }
    if (!read(race.active) || !read(marks) || !read(is_xavier)) return 1;
    nodes = 0;
    auto begin = std::chrono::steady_clock::now();
    bool is_won = is_xavier ? wins(race, marks) : is_lost(race, marks);
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("%d %llu %.6f\n", is_won, static_cast<unsigned long long>(nodes), seconds);
  }
}
