# Exact match on longer inputs. `gnuplot heat_map.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 805,599 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'heat_map.svg' }
  if (kind == 2) { set terminal pngcairo size 1208,898 font 'DejaVu Sans,12' fontscale 1.5 linewidth 1.5 enhanced; set output 'heat_map.png' }
  if (kind == 3) { set terminal pdfcairo size 8.39in,6.24in font 'DejaVu Sans,9' enhanced; set output 'heat_map.pdf' }
  set lmargin at screen 0.41977
  set rmargin at screen 0.89667
  set tmargin at screen 0.79492
  set bmargin at screen 0.09352
  unset key
  unset colorbox
  set border 0
  set tics scale 0 nomirror textcolor rgb '#333333'
  set palette defined (0 '#ffffff', 0.5 '#9ecae1', 1 '#08519c')
  set cbrange [0:1]
  set xrange [-0.5:5.5]
  set yrange [19.5:-0.5]
  set label 1 'Exact match on longer inputs' at screen 0.5, screen 0.96660 center noenhanced font ',15'
  set label 10 'Preset mini, 2000 steps; mean of seeds 1, 2.' at screen 0.5, screen 0.06012 center noenhanced textcolor rgb '#555555' font ',10'
  set label 11 'Missing: 350 of 390 lines.' at screen 0.5, screen 0.03340 center noenhanced textcolor rgb '#555555' font ',10'
  unset xtics
  set x2tics ('Copy 11-20' 0, 'Copy 80' 1, 'Reverse 11-20' 2, 'Reverse 80' 3, 'Addition 5-8' 4, 'Addition 16' 5) rotate by 40 left noenhanced
  set ytics ('RoPE, RFS' 0, 'RoPE, simple extension' 1, 'RoPE, RFS, SSMax' 2, 'RoPE, all dims, RFS' 3, 'RoPE, all dims, RFS, SSMax' 4, 'p-RoPE, RFS' 5, 'p-RoPE, RFS, SSMax' 6, 'NoPE in every 4th layer, RFS' 7, 'NoPE in every 4th layer, RFS, SSMax' 8, 'Window + global, RFS, SSMax' 9, 'Window of 4 + global, RFS, SSMax' 10, 'T5 bias, simple extension' 11, 'T5 bias, RFS' 12, 'KERPLE, simple extension' 13, 'KERPLE, RFS' 14, 'FIRE, simple extension' 15, 'FIRE, RFS' 16, 'RoPE, NTK in the test' 17, 'RoPE, dynamic NTK in the test' 18, 'RoPE, YaRN in the test' 19) noenhanced
  set x2range [-0.5:5.5]
  plot 'heat_map.dat' using 1:2:($1-0.48):($1+0.48):($2-0.46):($2+0.46):3 with boxxyerror fs solid noborder palette, \
    'heat_map.dat' using 1:2:4:($3 > 0.65 ? 0xffffff : 0x222222) with labels textcolor rgb variable font ',10'
  set output
}
