/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Linux memory functions: mremap, and the memory limits of control groups. */

#define _GNU_SOURCE
#include "linux-memory.h"

#include <limits.h>
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

/* The smaller of a limit and the number in a file; "max" is none. */
static uint64_t
smaller_limit (uint64_t limit, const char *path)
{
  FILE *file = fopen (path, "re");
  unsigned long long number;

  if (file == NULL)
    return limit;
  if (fscanf (file, "%llu", &number) == 1 && number < limit)
    limit = number;
  fclose (file);
  return limit;
}

/* The smallest limit of a group and of those that it lies in. In a container,
 * the group's path can be that outside of it, and only the first folder there:
 * what is not there has no limit. */
static uint64_t
smallest_limit (uint64_t limit, const char *root, const char *mount,
    const char *group, const char *file)
{
  char path[PATH_MAX];
  size_t length = strlen (group);

  while (true) {
    int needed = snprintf (path, sizeof (path), "%s%s%.*s/%s", root, mount,
        (int) length, group, file);

    if (needed > 0 && (size_t) needed < sizeof (path))
      limit = smaller_limit (limit, path);
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

uint64_t
linux_memory_limit (const char *root)
{
  long pages = sysconf (_SC_PHYS_PAGES), page_size = sysconf (_SC_PAGESIZE);
  uint64_t limit = pages > 0 && page_size > 0
      ? (uint64_t) pages * (uint64_t) page_size : UINT64_MAX;
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

    if (group == NULL)
      continue;
    *controllers++ = *group++ = '\0';
    group[strcspn (group, "\n")] = '\0';
    if (*controllers == '\0') {
      limit = smallest_limit (limit, root, "/sys/fs/cgroup", group,
          "memory.max");
      limit = smallest_limit (limit, root, "/sys/fs/cgroup/unified", group,
          "memory.max");
    } else if (contains (controllers, "memory")) {
      limit = smallest_limit (limit, root, "/sys/fs/cgroup/memory", group,
          "memory.limit_in_bytes");
    }
  }
  free (line);
  fclose (groups);
  return limit;
}
