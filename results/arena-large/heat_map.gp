# Exact match on longer inputs. `gnuplot heat_map.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 783,242 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'heat_map.svg' }
  if (kind == 2) { set terminal pngcairo size 1174,363 font 'DejaVu Sans,12' fontscale 1.5 linewidth 1.5 enhanced; set output 'heat_map.png' }
  if (kind == 3) { set terminal pdfcairo size 8.15in,2.52in font 'DejaVu Sans,9' enhanced; set output 'heat_map.pdf' }
  set lmargin at screen 0.56668
  set rmargin at screen 0.89371
  set tmargin at screen 0.49214
  set bmargin at screen 0.23160
  unset key
  unset colorbox
  set border 0
  set tics scale 0 nomirror textcolor rgb '#333333'
  set palette defined (0 '#ffffff', 0.5 '#9ecae1', 1 '#08519c')
  set cbrange [0:1]
  set xrange [-0.5:3.5]
  set yrange [2.5:-0.5]
  set label 1 'Exact match on longer inputs' at screen 0.5, screen 0.91729 center noenhanced font ',15'
  set label 10 'Preset large, 20000 steps; mean of seeds 146317, 234054, 256788.' at screen 0.5, screen 0.14888 center noenhanced textcolor rgb '#555555' font ',10'
  set label 11 'Missing: 385 of 390 lines.' at screen 0.5, screen 0.08271 center noenhanced textcolor rgb '#555555' font ',10'
  unset xtics
  set x2tics ('Copy 21-40' 0, 'Copy 160' 1, 'Reverse 21-40' 2, 'Reverse 160' 3) rotate by 40 left noenhanced
  set ytics ('RoPE, RFS' 0, 'Window of 4 + global, RFS, SSMax' 1, 'Window of 4 + global, all on floats, RFS, SSMax' 2) noenhanced
  set x2range [-0.5:3.5]
  plot 'heat_map.dat' using 1:2:($1-0.48):($1+0.48):($2-0.46):($2+0.46):3 with boxxyerror fs solid noborder palette, \
    'heat_map.dat' using 1:2:4:($3 > 0.65 ? 0xffffff : 0x222222) with labels textcolor rgb variable font ',10'
  set output
}
