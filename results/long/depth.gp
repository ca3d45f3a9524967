# Exact match by length and depth of the answer. `gnuplot depth.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 699,411 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'depth.svg' }
  if (kind == 2) { set terminal pngcairo size 1048,617 font 'DejaVu Sans,12' fontscale 1.5 linewidth 1.5 enhanced; set output 'depth.png' }
  if (kind == 3) { set terminal pdfcairo size 7.28in,4.28in font 'DejaVu Sans,9' enhanced; set output 'depth.pdf' }
  set lmargin at screen 0.29479
  set rmargin at screen 0.84430
  set tmargin at screen 0.64689
  set bmargin at screen 0.13619
  unset key
  unset colorbox
  set border 0
  set tics scale 0 nomirror textcolor rgb '#333333'
  set palette defined (0 '#ffffff', 0.5 '#9ecae1', 1 '#08519c')
  set cbrange [0:1]
  set xrange [-0.5:5.5]
  set yrange [9.5:-0.5]
  set label 1 'Exact match by length and depth of the answer' at screen 0.5, screen 0.95136 center noenhanced font ',15'
  set label 10 'Depth 0 %: the answer stands at the beginning of the prompt; 100 %: at its end.' at screen 0.5, screen 0.08755 center noenhanced textcolor rgb '#555555' font ',10'
  set label 11 'Each cell has 20 samples or more. Lengths are those of the task.' at screen 0.5, screen 0.04864 center noenhanced textcolor rgb '#555555' font ',10'
  unset xtics
  set x2tics ('trained, up to 32' 0, '64' 1, '128' 2, '256' 3, '512' 4, '1024' 5) rotate by 40 left noenhanced
  set ytics ('ssmax, depth 0 %%' 0, 'ssmax, depth 25 %%' 1, 'ssmax, depth 50 %%' 2, 'ssmax, depth 75 %%' 3, 'ssmax, depth 100 %%' 4, 'softmax, depth 0 %%' 5, 'softmax, depth 25 %%' 6, 'softmax, depth 50 %%' 7, 'softmax, depth 75 %%' 8, 'softmax, depth 100 %%' 9) noenhanced
  set x2range [-0.5:5.5]
  plot 'depth.dat' using 1:2:($1-0.48):($1+0.48):($2-0.46):($2+0.46):3 with boxxyerror fs solid noborder palette, \
    'depth.dat' using 1:2:4:($3 > 0.65 ? 0xffffff : 0x222222) with labels textcolor rgb variable font ',10'
  set output
}
