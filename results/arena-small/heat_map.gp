# Exact match on longer inputs. `gnuplot heat_map.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 809,683 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'heat_map.svg' }
  if (kind == 2) { set terminal pngcairo size 1214,1024 font 'DejaVu Sans,12' fontscale 1.5 linewidth 1.5 enhanced; set output 'heat_map.png' }
  if (kind == 3) { set terminal pdfcairo size 8.43in,7.11in font 'DejaVu Sans,9' enhanced; set output 'heat_map.pdf' }
  set lmargin at screen 0.58082
  set rmargin at screen 0.89718
  set tmargin at screen 0.82015
  set bmargin at screen 0.08202
  unset key
  unset colorbox
  set border 0
  set tics scale 0 nomirror textcolor rgb '#333333'
  set palette defined (0 '#ffffff', 0.5 '#9ecae1', 1 '#08519c')
  set cbrange [0:1]
  set xrange [-0.5:3.5]
  set yrange [23.5:-0.5]
  set label 1 'Exact match on longer inputs' at screen 0.5, screen 0.97071 center noenhanced font ',15'
  set label 10 'Preset small, 8000 steps; seed 1.' at screen 0.5, screen 0.05272 center noenhanced textcolor rgb '#555555' font ',10'
  set label 11 'Missing: 363 of 390 lines.' at screen 0.5, screen 0.02929 center noenhanced textcolor rgb '#555555' font ',10'
  unset xtics
  set x2tics ('Copy 21-40' 0, 'Copy 160' 1, 'Reverse 21-40' 2, 'Reverse 160' 3) rotate by 40 left noenhanced
  set ytics ('RoPE, RFS' 0, 'RoPE, RFS, SSMax' 1, 'RoPE, all dims, simple extension' 2, 'RoPE, all dims, RFS' 3, 'RoPE, all dims, RFS, SSMax' 4, 'p-RoPE, RFS' 5, 'p-RoPE, RFS, SSMax' 6, 'NoPE in every 4th layer, simple extension' 7, 'NoPE in every 4th layer, RFS' 8, 'NoPE in every 4th layer, RFS, SSMax' 9, 'Window + global, RFS' 10, 'Window + global, RFS, SSMax' 11, 'Window of 4 + global, RFS' 12, 'Window of 4 + global, RFS, SSMax' 13, 'Window of 4 + global, all on floats, RFS, SSMax' 14, 'Window of 4 + global, NoPE in global layers, SSMax' 15, 'Window of 4 + global, simple extension, SSMax' 16, 'T5 bias, simple extension' 17, 'T5 bias, RFS' 18, 'T5 bias, RFS, SSMax' 19, 'NAPE, simple extension' 20, 'NAPE, simple extension, SSMax' 21, 'NAPE, RFS' 22, 'NAPE, RFS, SSMax' 23) noenhanced
  set x2range [-0.5:3.5]
  plot 'heat_map.dat' using 1:2:($1-0.48):($1+0.48):($2-0.46):($2+0.46):3 with boxxyerror fs solid noborder palette, \
    'heat_map.dat' using 1:2:4:($3 > 0.65 ? 0xffffff : 0x222222) with labels textcolor rgb variable font ',10'
  set output
}
