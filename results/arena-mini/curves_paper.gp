# The arena: Paper. `gnuplot curves_paper.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 1020,367 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'curves_paper.svg' }
  if (kind == 2) { set terminal pngcairo size 2040,734 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'curves_paper.png' }
  if (kind == 3) { set terminal pdfcairo size 10.62in,3.82in font 'DejaVu Sans,9' enhanced; set output 'curves_paper.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set yrange [0:1.02]
  set ytics 0.2
  set format y '%.1f'
  set label 1 'The arena: Paper' at screen 0.5, screen 0.94550 center noenhanced font ',15'
  set arrow 1 from screen 0.25647, screen 0.11172 to screen 0.29961, screen 0.11172 nohead lc rgb '#0062a0' dt 1 lw 2
  set label 100 '' at screen 0.27804, screen 0.11172 point lc rgb '#0062a0' pt 7 ps 0.8
  set label 200 'RoPE, RFS' at screen 0.30745, screen 0.11172 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.50980, screen 0.11172 to screen 0.55294, screen 0.11172 nohead lc rgb '#56b4e9' dt (9,5) lw 2
  set label 101 '' at screen 0.53137, screen 0.11172 point lc rgb '#56b4e9' pt 6 ps 0.8
  set label 201 'RoPE, simple extension' at screen 0.56078, screen 0.11172 left noenhanced textcolor rgb '#222222'
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
    'curves_paper.dat' index 0 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'curves_paper.dat' index 1 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'curves_paper.dat' index 0 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_paper.dat' index 1 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle
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
    'curves_paper.dat' index 2 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'curves_paper.dat' index 3 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'curves_paper.dat' index 2 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_paper.dat' index 3 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle
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
    'curves_paper.dat' index 4 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'curves_paper.dat' index 5 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'curves_paper.dat' index 4 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_paper.dat' index 5 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle
  unset multiplot
  set output
}
