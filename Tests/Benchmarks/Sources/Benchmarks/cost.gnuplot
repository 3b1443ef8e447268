# Draws what a frame costs against resolution and against depth. CostPlot.swift puts before these lines: `file`,
# `heading`, `maps`, the `size`, its millions of `pixels` and the `depth` at which the other one varies, the `least` and
# the `most` milliseconds, and $costs: lines of map, millions of pixels, depth, milliseconds, and those of memcpy.

set terminal svg size 1040,520 font "DejaVu Sans,12" background "white" linewidth 2
set output file
# Okabe and Ito's colours, which people of all kinds of sight can tell apart.
array colours[7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
set for [i = 1 : 7] linetype i linecolor rgb colours[i] pointtype 7 pointsize 0.4
set linetype 8 linecolor rgb "#777777" pointtype 7 pointsize 0.4 dashtype 2
set border linewidth 0.5
set tics nomirror
set logscale xy
set datafile missing NaN
set autoscale x noextend
set offsets graph 0.03, graph 0.03
set yrange [least / 1.3 : most * 1.3]
set grid linecolor "#dddddd" linewidth 0.5
set ylabel "milliseconds a frame"
set multiplot layout 1,2 title heading font ",14"

set title sprintf("against resolution, depth %d", depth)
set xlabel "millions of pixels"
set key right bottom
plot for [i = 1 : words(maps)] $costs using ($3 == depth && strcol(1) eq word(maps, i) ? $2 : NaN):4 \
    smooth unique with linespoints linetype i title word(maps, i), \
  $costs using ($3 == depth ? $2 : NaN):5 smooth unique with linespoints linetype 8 title "memcpy of the frame"

set title "against depth, " . size
set xlabel "frames of history"
unset key
plot for [i = 1 : words(maps)] $costs using ($2 == pixels && strcol(1) eq word(maps, i) ? $3 : NaN):4 \
    smooth unique with linespoints linetype i, \
  $costs using ($2 == pixels ? $3 : NaN):5 smooth unique with linespoints linetype 8
