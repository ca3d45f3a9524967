# Perplexity on held-out documents. `gnuplot perplexity.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 1020,367 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'perplexity.svg' }
  if (kind == 2) { set terminal pngcairo size 2040,734 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'perplexity.png' }
  if (kind == 3) { set terminal pdfcairo size 10.62in,3.82in font 'DejaVu Sans,9' enhanced; set output 'perplexity.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set logscale y 2
  set format y '%g'
  set label 1 'Perplexity on held-out documents' at screen 0.5, screen 0.94550 center noenhanced font ',15'
  set arrow 1 from screen 0.36902, screen 0.11172 to screen 0.41216, screen 0.11172 nohead lc rgb '#d55e00' dt 1 lw 2
  set label 100 '' at screen 0.39059, screen 0.11172 point lc rgb '#d55e00' pt 7 ps 0.8
  set label 200 'integers' at screen 0.42000, screen 0.11172 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.50980, screen 0.11172 to screen 0.55294, screen 0.11172 nohead lc rgb '#0072b2' dt (9,5) lw 2
  set label 101 '' at screen 0.53137, screen 0.11172 point lc rgb '#0072b2' pt 4 ps 0.8
  set label 201 'windows' at screen 0.56078, screen 0.11172 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: up to the training length. 92 documents; band: lowest and highest seed.' at screen 0.5, screen 0.05177 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.07059
  set rmargin at screen 0.31373
  set tmargin at screen 0.80926
  set bmargin at screen 0.26975
  set title 'second half of inputs by length' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'tokens' offset 0,0.6 noenhanced
  set ylabel 'perplexity' offset 0.6,0 noenhanced
  set xrange [0:1040]
  unset object 1
  set object 1 rectangle from first -0.5, graph 0 to first 130.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'perplexity.dat' index 0 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 0 using 1:2 with linespoints lc rgb '#d55e00' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 1 using 1:2 with linespoints lc rgb '#0072b2' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  set lmargin at screen 0.38235
  set rmargin at screen 0.64706
  set tmargin at screen 0.80926
  set bmargin at screen 0.26975
  set title 'the same tokens by length of the input' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'tokens' offset 0,0.6 noenhanced
  set ylabel '' offset 0.6,0 noenhanced
  set xrange [0:1040]
  unset object 1
  set object 1 rectangle from first -0.5, graph 0 to first 130.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'perplexity.dat' index 2 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 3 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 2 using 1:2 with linespoints lc rgb '#d55e00' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 3 using 1:2 with linespoints lc rgb '#0072b2' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle
  set lmargin at screen 0.71569
  set rmargin at screen 0.98039
  set tmargin at screen 0.80926
  set bmargin at screen 0.26975
  set title 'longest inputs by position' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'tokens' offset 0,0.6 noenhanced
  set ylabel '' offset 0.6,0 noenhanced
  set xrange [0:1040]
  unset object 1
  set object 1 rectangle from first -0.5, graph 0 to first 130.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'perplexity.dat' index 4 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 5 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 4 using 1:2 with linespoints lc rgb '#d55e00' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 5 using 1:2 with linespoints lc rgb '#0072b2' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle
  unset multiplot
  set output
}
