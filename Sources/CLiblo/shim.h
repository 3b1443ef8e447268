/* liblo, as Swift sees it: the bytes of OSC's messages, and the matching of addresses. */
#pragma once

#include <lo/lo.h>
