# Perplexity on held-out documents. `gnuplot perplexity.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 1020,424 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'perplexity.svg' }
  if (kind == 2) { set terminal pngcairo size 2040,848 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'perplexity.png' }
  if (kind == 3) { set terminal pdfcairo size 10.62in,4.42in font 'DejaVu Sans,9' enhanced; set output 'perplexity.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set logscale y 2
  set format y '%g'
  set label 1 'Perplexity on held-out documents' at screen 0.5, screen 0.95283 center noenhanced font ',15'
  set arrow 1 from screen 0.03529, screen 0.23113 to screen 0.07843, screen 0.23113 nohead lc rgb '#d55e00' dt 1 lw 2
  set label 100 '' at screen 0.05686, screen 0.23113 point lc rgb '#d55e00' pt 7 ps 0.8
  set label 200 'base' at screen 0.08627, screen 0.23113 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.27255, screen 0.23113 to screen 0.31569, screen 0.23113 nohead lc rgb '#0072b2' dt (9,5) lw 2
  set label 101 '' at screen 0.29412, screen 0.23113 point lc rgb '#0072b2' pt 4 ps 0.8
  set label 201 'drope' at screen 0.32353, screen 0.23113 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.50980, screen 0.23113 to screen 0.55294, screen 0.23113 nohead lc rgb '#009e73' dt (5,3) lw 2
  set label 102 '' at screen 0.53137, screen 0.23113 point lc rgb '#009e73' pt 9 ps 0.8
  set label 202 'linear' at screen 0.56078, screen 0.23113 left noenhanced textcolor rgb '#222222'
  set arrow 4 from screen 0.74706, screen 0.23113 to screen 0.79020, screen 0.23113 nohead lc rgb '#cc79a7' dt (12,4,2,4) lw 2
  set label 103 '' at screen 0.76863, screen 0.23113 point lc rgb '#cc79a7' pt 12 ps 0.8
  set label 203 'pose' at screen 0.79804, screen 0.23113 left noenhanced textcolor rgb '#222222'
  set arrow 5 from screen 0.03529, screen 0.18632 to screen 0.07843, screen 0.18632 nohead lc rgb '#e69f00' dt (2,4) lw 2
  set label 104 '' at screen 0.05686, screen 0.18632 point lc rgb '#e69f00' pt 5 ps 0.8
  set label 204 'rfs' at screen 0.08627, screen 0.18632 left noenhanced textcolor rgb '#222222'
  set arrow 6 from screen 0.27255, screen 0.18632 to screen 0.31569, screen 0.18632 nohead lc rgb '#56b4e9' dt 1 lw 2
  set label 105 '' at screen 0.29412, screen 0.18632 point lc rgb '#56b4e9' pt 6 ps 0.8
  set label 205 'rfs_dense' at screen 0.32353, screen 0.18632 left noenhanced textcolor rgb '#222222'
  set arrow 7 from screen 0.50980, screen 0.18632 to screen 0.55294, screen 0.18632 nohead lc rgb '#000000' dt (9,5) lw 2
  set label 106 '' at screen 0.53137, screen 0.18632 point lc rgb '#000000' pt 7 ps 0.8
  set label 206 'rfs_ssmax' at screen 0.56078, screen 0.18632 left noenhanced textcolor rgb '#222222'
  set arrow 8 from screen 0.74706, screen 0.18632 to screen 0.79020, screen 0.18632 nohead lc rgb '#8a7a00' dt (5,3) lw 2
  set label 107 '' at screen 0.76863, screen 0.18632 point lc rgb '#8a7a00' pt 4 ps 0.8
  set label 207 'rfs_wide_yarn' at screen 0.79804, screen 0.18632 left noenhanced textcolor rgb '#222222'
  set arrow 9 from screen 0.03529, screen 0.14151 to screen 0.07843, screen 0.14151 nohead lc rgb '#d55e00' dt (12,4,2,4) lw 2
  set label 108 '' at screen 0.05686, screen 0.14151 point lc rgb '#d55e00' pt 9 ps 0.8
  set label 208 'unchanged' at screen 0.08627, screen 0.14151 left noenhanced textcolor rgb '#222222'
  set arrow 10 from screen 0.27255, screen 0.14151 to screen 0.31569, screen 0.14151 nohead lc rgb '#0072b2' dt (2,4) lw 2
  set label 109 '' at screen 0.29412, screen 0.14151 point lc rgb '#0072b2' pt 12 ps 0.8
  set label 209 'window_nope' at screen 0.32353, screen 0.14151 left noenhanced textcolor rgb '#222222'
  set arrow 11 from screen 0.50980, screen 0.14151 to screen 0.55294, screen 0.14151 nohead lc rgb '#009e73' dt 1 lw 2
  set label 110 '' at screen 0.53137, screen 0.14151 point lc rgb '#009e73' pt 5 ps 0.8
  set label 210 'window_nope_last' at screen 0.56078, screen 0.14151 left noenhanced textcolor rgb '#222222'
  set arrow 12 from screen 0.74706, screen 0.14151 to screen 0.79020, screen 0.14151 nohead lc rgb '#cc79a7' dt (9,5) lw 2
  set label 111 '' at screen 0.76863, screen 0.14151 point lc rgb '#cc79a7' pt 6 ps 0.8
  set label 211 'window_rfs' at screen 0.79804, screen 0.14151 left noenhanced textcolor rgb '#222222'
  set arrow 13 from screen 0.03529, screen 0.09670 to screen 0.07843, screen 0.09670 nohead lc rgb '#e69f00' dt (5,3) lw 2
  set label 112 '' at screen 0.05686, screen 0.09670 point lc rgb '#e69f00' pt 7 ps 0.8
  set label 212 'window_rfs_last' at screen 0.08627, screen 0.09670 left noenhanced textcolor rgb '#222222'
  set arrow 14 from screen 0.27255, screen 0.09670 to screen 0.31569, screen 0.09670 nohead lc rgb '#56b4e9' dt (12,4,2,4) lw 2
  set label 113 '' at screen 0.29412, screen 0.09670 point lc rgb '#56b4e9' pt 4 ps 0.8
  set label 213 'window_rfs_last_yarn' at screen 0.32353, screen 0.09670 left noenhanced textcolor rgb '#222222'
  set arrow 15 from screen 0.50980, screen 0.09670 to screen 0.55294, screen 0.09670 nohead lc rgb '#000000' dt (2,4) lw 2
  set label 114 '' at screen 0.53137, screen 0.09670 point lc rgb '#000000' pt 9 ps 0.8
  set label 214 'window_rfs_yarn' at screen 0.56078, screen 0.09670 left noenhanced textcolor rgb '#222222'
  set arrow 16 from screen 0.74706, screen 0.09670 to screen 0.79020, screen 0.09670 nohead lc rgb '#8a7a00' dt 1 lw 2
  set label 115 '' at screen 0.76863, screen 0.09670 point lc rgb '#8a7a00' pt 12 ps 0.8
  set label 215 'yarn' at screen 0.79804, screen 0.09670 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: up to the training length. 52 documents; band: lowest and highest seed.' at screen 0.5, screen 0.04481 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.07059
  set rmargin at screen 0.31373
  set tmargin at screen 0.83491
  set bmargin at screen 0.36792
  set title 'second half of inputs by length' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'tokens' offset 0,0.6 noenhanced
  set ylabel 'perplexity' offset 0.6,0 noenhanced
  set xrange [0:2048]
  unset object 1
  set object 1 rectangle from first -0.5, graph 0 to first 256.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'perplexity.dat' index 0 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 2 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 3 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 4 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 5 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 6 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 7 using 1:3:4 with filledcurves fc rgb '#8a7a00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 8 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 9 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 10 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 11 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 12 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 13 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 14 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 15 using 1:3:4 with filledcurves fc rgb '#8a7a00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 0 using 1:2 with linespoints lc rgb '#d55e00' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 1 using 1:2 with linespoints lc rgb '#0072b2' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 2 using 1:2 with linespoints lc rgb '#009e73' dt (5,3) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 3 using 1:2 with linespoints lc rgb '#cc79a7' dt (12,4,2,4) lw 2 pt 12 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 4 using 1:2 with linespoints lc rgb '#e69f00' dt (2,4) lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 5 using 1:2 with linespoints lc rgb '#56b4e9' dt 1 lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 6 using 1:2 with linespoints lc rgb '#000000' dt (9,5) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 7 using 1:2 with linespoints lc rgb '#8a7a00' dt (5,3) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 8 using 1:2 with linespoints lc rgb '#d55e00' dt (12,4,2,4) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 9 using 1:2 with linespoints lc rgb '#0072b2' dt (2,4) lw 2 pt 12 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 10 using 1:2 with linespoints lc rgb '#009e73' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 11 using 1:2 with linespoints lc rgb '#cc79a7' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 12 using 1:2 with linespoints lc rgb '#e69f00' dt (5,3) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 13 using 1:2 with linespoints lc rgb '#56b4e9' dt (12,4,2,4) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 14 using 1:2 with linespoints lc rgb '#000000' dt (2,4) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 15 using 1:2 with linespoints lc rgb '#8a7a00' dt 1 lw 2 pt 12 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  set lmargin at screen 0.38235
  set rmargin at screen 0.64706
  set tmargin at screen 0.83491
  set bmargin at screen 0.36792
  set title 'the same tokens by length of the input' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'tokens' offset 0,0.6 noenhanced
  set ylabel '' offset 0.6,0 noenhanced
  set xrange [0:2048]
  unset object 1
  set object 1 rectangle from first -0.5, graph 0 to first 256.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'perplexity.dat' index 16 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 17 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 18 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 19 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 20 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 21 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 22 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 23 using 1:3:4 with filledcurves fc rgb '#8a7a00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 24 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 25 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 26 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 27 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 28 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 29 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 30 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 31 using 1:3:4 with filledcurves fc rgb '#8a7a00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 16 using 1:2 with linespoints lc rgb '#d55e00' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 17 using 1:2 with linespoints lc rgb '#0072b2' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 18 using 1:2 with linespoints lc rgb '#009e73' dt (5,3) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 19 using 1:2 with linespoints lc rgb '#cc79a7' dt (12,4,2,4) lw 2 pt 12 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 20 using 1:2 with linespoints lc rgb '#e69f00' dt (2,4) lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 21 using 1:2 with linespoints lc rgb '#56b4e9' dt 1 lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 22 using 1:2 with linespoints lc rgb '#000000' dt (9,5) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 23 using 1:2 with linespoints lc rgb '#8a7a00' dt (5,3) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 24 using 1:2 with linespoints lc rgb '#d55e00' dt (12,4,2,4) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 25 using 1:2 with linespoints lc rgb '#0072b2' dt (2,4) lw 2 pt 12 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 26 using 1:2 with linespoints lc rgb '#009e73' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 27 using 1:2 with linespoints lc rgb '#cc79a7' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 28 using 1:2 with linespoints lc rgb '#e69f00' dt (5,3) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 29 using 1:2 with linespoints lc rgb '#56b4e9' dt (12,4,2,4) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 30 using 1:2 with linespoints lc rgb '#000000' dt (2,4) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 31 using 1:2 with linespoints lc rgb '#8a7a00' dt 1 lw 2 pt 12 ps 0.8 pi 1 notitle
  set lmargin at screen 0.71569
  set rmargin at screen 0.98039
  set tmargin at screen 0.83491
  set bmargin at screen 0.36792
  set title 'longest inputs by position' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'tokens' offset 0,0.6 noenhanced
  set ylabel '' offset 0.6,0 noenhanced
  set xrange [0:2048]
  unset object 1
  set object 1 rectangle from first -0.5, graph 0 to first 256.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'perplexity.dat' index 32 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 33 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 34 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 35 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 36 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 37 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 38 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 39 using 1:3:4 with filledcurves fc rgb '#8a7a00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 40 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 41 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 42 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 43 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 44 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 45 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 46 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 47 using 1:3:4 with filledcurves fc rgb '#8a7a00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 32 using 1:2 with linespoints lc rgb '#d55e00' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 33 using 1:2 with linespoints lc rgb '#0072b2' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 34 using 1:2 with linespoints lc rgb '#009e73' dt (5,3) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 35 using 1:2 with linespoints lc rgb '#cc79a7' dt (12,4,2,4) lw 2 pt 12 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 36 using 1:2 with linespoints lc rgb '#e69f00' dt (2,4) lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 37 using 1:2 with linespoints lc rgb '#56b4e9' dt 1 lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 38 using 1:2 with linespoints lc rgb '#000000' dt (9,5) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 39 using 1:2 with linespoints lc rgb '#8a7a00' dt (5,3) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 40 using 1:2 with linespoints lc rgb '#d55e00' dt (12,4,2,4) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 41 using 1:2 with linespoints lc rgb '#0072b2' dt (2,4) lw 2 pt 12 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 42 using 1:2 with linespoints lc rgb '#009e73' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 43 using 1:2 with linespoints lc rgb '#cc79a7' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 44 using 1:2 with linespoints lc rgb '#e69f00' dt (5,3) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 45 using 1:2 with linespoints lc rgb '#56b4e9' dt (12,4,2,4) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 46 using 1:2 with linespoints lc rgb '#000000' dt (2,4) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 47 using 1:2 with linespoints lc rgb '#8a7a00' dt 1 lw 2 pt 12 ps 0.8 pi 1 notitle
  unset multiplot
  set output
}
