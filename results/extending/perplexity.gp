# Perplexity on held-out documents. `gnuplot perplexity.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 1020,405 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'perplexity.svg' }
  if (kind == 2) { set terminal pngcairo size 2040,810 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'perplexity.png' }
  if (kind == 3) { set terminal pdfcairo size 10.62in,4.22in font 'DejaVu Sans,9' enhanced; set output 'perplexity.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set logscale y 2
  set format y '%g'
  set label 1 'Perplexity on held-out documents' at screen 0.5, screen 0.95062 center noenhanced font ',15'
  set arrow 1 from screen 0.11569, screen 0.19506 to screen 0.15882, screen 0.19506 nohead lc rgb '#d55e00' dt 1 lw 2
  set label 100 '' at screen 0.13725, screen 0.19506 point lc rgb '#d55e00' pt 7 ps 0.8
  set label 200 'base' at screen 0.16667, screen 0.19506 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.31275, screen 0.19506 to screen 0.35588, screen 0.19506 nohead lc rgb '#0072b2' dt (9,5) lw 2
  set label 101 '' at screen 0.33431, screen 0.19506 point lc rgb '#0072b2' pt 4 ps 0.8
  set label 201 'drope' at screen 0.36373, screen 0.19506 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.50980, screen 0.19506 to screen 0.55294, screen 0.19506 nohead lc rgb '#009e73' dt (5,3) lw 2
  set label 102 '' at screen 0.53137, screen 0.19506 point lc rgb '#009e73' pt 9 ps 0.8
  set label 202 'linear' at screen 0.56078, screen 0.19506 left noenhanced textcolor rgb '#222222'
  set arrow 4 from screen 0.70686, screen 0.19506 to screen 0.75000, screen 0.19506 nohead lc rgb '#cc79a7' dt (12,4,2,4) lw 2
  set label 103 '' at screen 0.72843, screen 0.19506 point lc rgb '#cc79a7' pt 12 ps 0.8
  set label 203 'pose' at screen 0.75784, screen 0.19506 left noenhanced textcolor rgb '#222222'
  set arrow 5 from screen 0.11569, screen 0.14815 to screen 0.15882, screen 0.14815 nohead lc rgb '#e69f00' dt (2,4) lw 2
  set label 104 '' at screen 0.13725, screen 0.14815 point lc rgb '#e69f00' pt 5 ps 0.8
  set label 204 'rfs' at screen 0.16667, screen 0.14815 left noenhanced textcolor rgb '#222222'
  set arrow 6 from screen 0.31275, screen 0.14815 to screen 0.35588, screen 0.14815 nohead lc rgb '#56b4e9' dt 1 lw 2
  set label 105 '' at screen 0.33431, screen 0.14815 point lc rgb '#56b4e9' pt 6 ps 0.8
  set label 205 'rfs_ssmax' at screen 0.36373, screen 0.14815 left noenhanced textcolor rgb '#222222'
  set arrow 7 from screen 0.50980, screen 0.14815 to screen 0.55294, screen 0.14815 nohead lc rgb '#000000' dt (9,5) lw 2
  set label 106 '' at screen 0.53137, screen 0.14815 point lc rgb '#000000' pt 7 ps 0.8
  set label 206 'unchanged' at screen 0.56078, screen 0.14815 left noenhanced textcolor rgb '#222222'
  set arrow 8 from screen 0.70686, screen 0.14815 to screen 0.75000, screen 0.14815 nohead lc rgb '#8a7a00' dt (5,3) lw 2
  set label 107 '' at screen 0.72843, screen 0.14815 point lc rgb '#8a7a00' pt 4 ps 0.8
  set label 207 'window_nope' at screen 0.75784, screen 0.14815 left noenhanced textcolor rgb '#222222'
  set arrow 9 from screen 0.11569, screen 0.10123 to screen 0.15882, screen 0.10123 nohead lc rgb '#d55e00' dt (12,4,2,4) lw 2
  set label 108 '' at screen 0.13725, screen 0.10123 point lc rgb '#d55e00' pt 9 ps 0.8
  set label 208 'window_rfs' at screen 0.16667, screen 0.10123 left noenhanced textcolor rgb '#222222'
  set arrow 10 from screen 0.31275, screen 0.10123 to screen 0.35588, screen 0.10123 nohead lc rgb '#0072b2' dt (2,4) lw 2
  set label 109 '' at screen 0.33431, screen 0.10123 point lc rgb '#0072b2' pt 12 ps 0.8
  set label 209 'window_rfs_long' at screen 0.36373, screen 0.10123 left noenhanced textcolor rgb '#222222'
  set arrow 11 from screen 0.50980, screen 0.10123 to screen 0.55294, screen 0.10123 nohead lc rgb '#009e73' dt 1 lw 2
  set label 110 '' at screen 0.53137, screen 0.10123 point lc rgb '#009e73' pt 5 ps 0.8
  set label 210 'yarn' at screen 0.56078, screen 0.10123 left noenhanced textcolor rgb '#222222'
  set arrow 12 from screen 0.70686, screen 0.10123 to screen 0.75000, screen 0.10123 nohead lc rgb '#cc79a7' dt (9,5) lw 2
  set label 111 '' at screen 0.72843, screen 0.10123 point lc rgb '#cc79a7' pt 6 ps 0.8
  set label 211 'yarn_rfs' at screen 0.75784, screen 0.10123 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: up to the training length. 71 documents; band: lowest and highest seed.' at screen 0.5, screen 0.04691 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.07059
  set rmargin at screen 0.31373
  set tmargin at screen 0.82716
  set bmargin at screen 0.33827
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
    'perplexity.dat' index 11 using 1:2 with linespoints lc rgb '#cc79a7' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  set lmargin at screen 0.38235
  set rmargin at screen 0.64706
  set tmargin at screen 0.82716
  set bmargin at screen 0.33827
  set title 'the same tokens by length of the input' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'tokens' offset 0,0.6 noenhanced
  set ylabel '' offset 0.6,0 noenhanced
  set xrange [0:2048]
  unset object 1
  set object 1 rectangle from first -0.5, graph 0 to first 256.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'perplexity.dat' index 12 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 13 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 14 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 15 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 16 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 17 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 18 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 19 using 1:3:4 with filledcurves fc rgb '#8a7a00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 20 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 21 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 22 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 23 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 12 using 1:2 with linespoints lc rgb '#d55e00' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 13 using 1:2 with linespoints lc rgb '#0072b2' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 14 using 1:2 with linespoints lc rgb '#009e73' dt (5,3) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 15 using 1:2 with linespoints lc rgb '#cc79a7' dt (12,4,2,4) lw 2 pt 12 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 16 using 1:2 with linespoints lc rgb '#e69f00' dt (2,4) lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 17 using 1:2 with linespoints lc rgb '#56b4e9' dt 1 lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 18 using 1:2 with linespoints lc rgb '#000000' dt (9,5) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 19 using 1:2 with linespoints lc rgb '#8a7a00' dt (5,3) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 20 using 1:2 with linespoints lc rgb '#d55e00' dt (12,4,2,4) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 21 using 1:2 with linespoints lc rgb '#0072b2' dt (2,4) lw 2 pt 12 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 22 using 1:2 with linespoints lc rgb '#009e73' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 23 using 1:2 with linespoints lc rgb '#cc79a7' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle
  set lmargin at screen 0.71569
  set rmargin at screen 0.98039
  set tmargin at screen 0.82716
  set bmargin at screen 0.33827
  set title 'longest inputs by position' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'tokens' offset 0,0.6 noenhanced
  set ylabel '' offset 0.6,0 noenhanced
  set xrange [0:2048]
  unset object 1
  set object 1 rectangle from first -0.5, graph 0 to first 256.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'perplexity.dat' index 24 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 25 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 26 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 27 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 28 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 29 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 30 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 31 using 1:3:4 with filledcurves fc rgb '#8a7a00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 32 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 33 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 34 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 35 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 24 using 1:2 with linespoints lc rgb '#d55e00' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 25 using 1:2 with linespoints lc rgb '#0072b2' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 26 using 1:2 with linespoints lc rgb '#009e73' dt (5,3) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 27 using 1:2 with linespoints lc rgb '#cc79a7' dt (12,4,2,4) lw 2 pt 12 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 28 using 1:2 with linespoints lc rgb '#e69f00' dt (2,4) lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 29 using 1:2 with linespoints lc rgb '#56b4e9' dt 1 lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 30 using 1:2 with linespoints lc rgb '#000000' dt (9,5) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 31 using 1:2 with linespoints lc rgb '#8a7a00' dt (5,3) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 32 using 1:2 with linespoints lc rgb '#d55e00' dt (12,4,2,4) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 33 using 1:2 with linespoints lc rgb '#0072b2' dt (2,4) lw 2 pt 12 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 34 using 1:2 with linespoints lc rgb '#009e73' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 35 using 1:2 with linespoints lc rgb '#cc79a7' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle
  unset multiplot
  set output
}
