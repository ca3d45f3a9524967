# Exact match on longer inputs. `gnuplot heat_map.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 620,372 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'heat_map.svg' }
  if (kind == 2) { set terminal pngcairo size 930,558 font 'DejaVu Sans,12' fontscale 1.5 linewidth 1.5 enhanced; set output 'heat_map.png' }
  if (kind == 3) { set terminal pdfcairo size 6.46in,3.88in font 'DejaVu Sans,9' enhanced; set output 'heat_map.pdf' }
  set lmargin at screen 0.50258
  set rmargin at screen 0.70903
  set tmargin at screen 0.71505
  set bmargin at screen 0.15054
  unset key
  unset colorbox
  set border 0
  set tics scale 0 nomirror textcolor rgb '#333333'
  set palette defined (0 '#ffffff', 0.5 '#9ecae1', 1 '#08519c')
  set cbrange [0:1]
  set xrange [-0.5:1.5]
  set yrange [9.5:-0.5]
  set label 1 'Exact match on longer inputs' at screen 0.5, screen 0.94624 center noenhanced font ',15'
  set label 10 'Preset mini, 2000 steps; mean of seeds 1, 2.' at screen 0.5, screen 0.09677 center noenhanced textcolor rgb '#555555' font ',10'
  set label 11 'Missing: 380 of 390 lines.' at screen 0.5, screen 0.05376 center noenhanced textcolor rgb '#555555' font ',10'
  unset xtics
  set x2tics ('Copy 11-20' 0, 'Copy 80' 1) rotate by 40 left noenhanced
  set ytics ('RoPE, RFS' 0, 'RoPE, simple extension' 1, 'Window of 4 + global, RFS, SSMax' 2, 'KERPLE, simple extension' 3, 'KERPLE, RFS' 4, 'FIRE, simple extension' 5, 'FIRE, RFS' 6, 'RoPE, NTK in the test' 7, 'RoPE, dynamic NTK in the test' 8, 'RoPE, YaRN in the test' 9) noenhanced
  set x2range [-0.5:1.5]
  plot 'heat_map.dat' using 1:2:($1-0.48):($1+0.48):($2-0.46):($2+0.46):3 with boxxyerror fs solid noborder palette, \
    'heat_map.dat' using 1:2:4:($3 > 0.65 ? 0xffffff : 0x222222) with labels textcolor rgb variable font ',10'
  set output
}
