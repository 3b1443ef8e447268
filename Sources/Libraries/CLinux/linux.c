/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Linux functions: mremap, what control groups allow, and ignored signals. */

#define _GNU_SOURCE
#include "linux.h"

#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *
linux_memory_grow (void *base, size_t old_size, size_t new_size)
{
#ifdef __linux__
  return mremap (base, old_size, new_size, MREMAP_MAYMOVE);
#else
  void *grown = mmap (NULL, new_size, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANON, -1, 0);

  if (grown != MAP_FAILED) {
    memcpy (grown, base, old_size);
    munmap (base, old_size);
  }
  return grown;
#endif
}

/* A limit that a folder of control groups sets; UINT64_MAX for none. */
typedef uint64_t (*GroupLimit) (const char *folder);

/* Reads numbers from a file in a folder, up to the first word that is none.
 * Returns how many there are. */
static int
read_numbers (const char *folder, const char *name,
    unsigned long long *first, unsigned long long *second)
{
  char path[PATH_MAX];
  int length = snprintf (path, sizeof (path), "%s/%s", folder, name);
  int count;
  FILE *file;

  if (length < 0 || (size_t) length >= sizeof (path))
    return 0;
  file = fopen (path, "re");
  if (file == NULL)
    return 0;
  count = fscanf (file, "%llu %llu", first, second);
  fclose (file);
  return count;
}

static uint64_t
memory_version_1 (const char *folder)
{
  unsigned long long bytes, nothing;

  return read_numbers (folder, "memory.limit_in_bytes", &bytes, &nothing) > 0
      ? bytes : UINT64_MAX;
}

static uint64_t
memory_version_2 (const char *folder)
{
  unsigned long long bytes, nothing;

  return read_numbers (folder, "memory.max", &bytes, &nothing) > 0
      ? bytes : UINT64_MAX;
}

/* The processors that are busy all the time for a quota of a period. */
static uint64_t
whole_processors (unsigned long long quota, unsigned long long period)
{
  if (period == 0)
    return UINT64_MAX;
  return quota < period ? 1 : quota / period;
}

static uint64_t
processors_version_1 (const char *folder)
{
  unsigned long long quota, period, nothing;

  /* No quota is -1, which is read as the largest number. */
  if (read_numbers (folder, "cpu.cfs_quota_us", &quota, &nothing) < 1
      || quota > LLONG_MAX
      || read_numbers (folder, "cpu.cfs_period_us", &period, &nothing) < 1)
    return UINT64_MAX;
  return whole_processors (quota, period);
}

static uint64_t
processors_version_2 (const char *folder)
{
  unsigned long long quota, period;

  if (read_numbers (folder, "cpu.max", &quota, &period) < 2)
    return UINT64_MAX;
  return whole_processors (quota, period);
}

/* The smallest limit of a group and of those that it lies in. In a container,
 * the group's path can be that outside of it, and only the first folder there:
 * what is not there has no limit. */
static uint64_t
smallest_limit (const char *root, const char *mount, const char *group,
    GroupLimit read)
{
  char path[PATH_MAX];
  size_t length = strlen (group);
  uint64_t limit = UINT64_MAX;

  while (true) {
    int needed = snprintf (path, sizeof (path), "%s/sys/fs/cgroup/%s%.*s",
        root, mount, (int) length, group);

    if (needed > 0 && (size_t) needed < sizeof (path)) {
      uint64_t own = read (path);

      limit = own < limit ? own : limit;
    }
    if (length == 0)
      return limit;
    do
      length--;
    while (length > 0 && group[length] != '/');
  }
}

/* Whether a name is in a list with commas. */
static bool
contains (char *list, const char *name)
{
  char *rest = NULL;

  for (char *item = strtok_r (list, ",", &rest); item != NULL;
      item = strtok_r (NULL, ",", &rest)) {
    if (strcmp (item, name) == 0)
      return true;
  }
  return false;
}

/* The smallest limit of all groups that this process is in. */
static uint64_t
limit_of_groups (const char *root, const char *controller,
    GroupLimit version_1, GroupLimit version_2)
{
  uint64_t limit = UINT64_MAX;
  char path[PATH_MAX], *line = NULL;
  size_t capacity = 0;
  FILE *groups;
  int needed = snprintf (path, sizeof (path), "%s/proc/self/cgroup", root);

  if (needed < 0 || (size_t) needed >= sizeof (path))
    return limit;
  groups = fopen (path, "re");
  if (groups == NULL)
    return limit;
  /* Number, controllers and group; version 2 has number 0 and no names. */
  while (getline (&line, &capacity, groups) > 0) {
    char *controllers = strchr (line, ':');
    char *group = controllers != NULL ? strchr (controllers + 1, ':') : NULL;
    uint64_t own = UINT64_MAX;

    if (group == NULL)
      continue;
    *controllers++ = *group++ = '\0';
    group[strcspn (group, "\n")] = '\0';
    if (*controllers == '\0') {
      uint64_t beside = smallest_limit (root, "unified", group, version_2);

      own = smallest_limit (root, "", group, version_2);
      own = beside < own ? beside : own;
    } else if (contains (controllers, controller)) {
      own = smallest_limit (root, controller, group, version_1);
    }
    limit = own < limit ? own : limit;
  }
  free (line);
  fclose (groups);
  return limit;
}

uint64_t
linux_memory_limit (const char *root)
{
  long pages = sysconf (_SC_PHYS_PAGES), page_size = sysconf (_SC_PAGESIZE);
  uint64_t limit = pages > 0 && page_size > 0
      ? (uint64_t) pages * (uint64_t) page_size : UINT64_MAX;
  uint64_t allowed = limit_of_groups (root, "memory", memory_version_1,
      memory_version_2);

  return allowed < limit ? allowed : limit;
}

uint32_t
linux_processors (const char *root)
{
  long online = sysconf (_SC_NPROCESSORS_ONLN);
  uint64_t count = online > 0 ? (uint64_t) online : 1;
  uint64_t allowed = limit_of_groups (root, "cpu", processors_version_1,
      processors_version_2);
#ifdef __linux__
  cpu_set_t set;

  /* The set has no room for more than 1024. */
  if (sched_getaffinity (0, sizeof (set), &set) == 0 && CPU_COUNT (&set) > 0)
    count = (uint64_t) CPU_COUNT (&set);
#endif
  return (uint32_t) (allowed < count ? allowed : count);
}

int
linux_ignores_signal (int number)
{
  struct sigaction action;

  return sigaction (number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}
