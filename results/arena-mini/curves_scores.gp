# The arena: Scores. `gnuplot curves_scores.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 1020,367 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'curves_scores.svg' }
  if (kind == 2) { set terminal pngcairo size 2040,734 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'curves_scores.png' }
  if (kind == 3) { set terminal pdfcairo size 10.62in,3.82in font 'DejaVu Sans,9' enhanced; set output 'curves_scores.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set yrange [0:1.02]
  set ytics 0.2
  set format y '%.1f'
  set label 1 'The arena: Scores' at screen 0.5, screen 0.94550 center noenhanced font ',15'
  set arrow 1 from screen 0.30471, screen 0.11172 to screen 0.34784, screen 0.11172 nohead lc rgb '#777777' dt 1 lw 2
  set label 100 '' at screen 0.32627, screen 0.11172 point lc rgb '#777777' pt 7 ps 0.8
  set label 200 'RoPE, RFS' at screen 0.35569, screen 0.11172 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.50980, screen 0.11172 to screen 0.55294, screen 0.11172 nohead lc rgb '#d55e00' dt 1 lw 2
  set label 101 '' at screen 0.53137, screen 0.11172 point lc rgb '#d55e00' pt 5 ps 0.8
  set label 201 'RoPE, RFS, SSMax' at screen 0.56078, screen 0.11172 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: trained lengths. Band: 95 % interval. Preset mini, 2000 steps; seeds 1, 2.' at screen 0.5, screen 0.05177 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.06078
  set rmargin at screen 0.31373
  set tmargin at screen 0.80926
  set bmargin at screen 0.26975
  set title 'Copy' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel 'exact match' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 10.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'curves_scores.dat' index 0 using 1:3:4 with filledcurves fc rgb '#777777' fs transparent solid 0.15 noborder notitle, \
    'curves_scores.dat' index 0 using 1:2 with linespoints lc rgb '#777777' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  set lmargin at screen 0.38235
  set rmargin at screen 0.64706
  set tmargin at screen 0.80926
  set bmargin at screen 0.26975
  set title 'Reverse' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 10.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'curves_scores.dat' index 1 using 1:3:4 with filledcurves fc rgb '#777777' fs transparent solid 0.15 noborder notitle, \
    'curves_scores.dat' index 2 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'curves_scores.dat' index 1 using 1:2 with linespoints lc rgb '#777777' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_scores.dat' index 2 using 1:2 with linespoints lc rgb '#d55e00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle
  set lmargin at screen 0.71569
  set rmargin at screen 0.98039
  set tmargin at screen 0.80926
  set bmargin at screen 0.26975
  set title 'Addition' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 0.5, graph 0 to first 4.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'curves_scores.dat' index 3 using 1:3:4 with filledcurves fc rgb '#777777' fs transparent solid 0.15 noborder notitle, \
    'curves_scores.dat' index 4 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'curves_scores.dat' index 3 using 1:2 with linespoints lc rgb '#777777' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_scores.dat' index 4 using 1:2 with linespoints lc rgb '#d55e00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle
  unset multiplot
  set output
}
