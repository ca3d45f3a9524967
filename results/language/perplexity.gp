# Perplexity on held-out documents. `gnuplot perplexity.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 960,656 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'perplexity.svg' }
  if (kind == 2) { set terminal pngcairo size 1920,1312 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'perplexity.png' }
  if (kind == 3) { set terminal pdfcairo size 10.00in,6.83in font 'DejaVu Sans,9' enhanced; set output 'perplexity.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set logscale y 2
  set format y '%g'
  set label 1 'Perplexity on held-out documents' at screen 0.5, screen 0.96951 center noenhanced font ',15'
  set arrow 1 from screen 0.24125, screen 0.09146 to screen 0.28708, screen 0.09146 nohead lc rgb '#cc79a7' dt (5,3) lw 2
  set label 100 '' at screen 0.26417, screen 0.09146 point lc rgb '#cc79a7' pt 9 ps 0.8
  set label 200 'RoPE, interpolation' at screen 0.29542, screen 0.09146 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.51042, screen 0.09146 to screen 0.55625, screen 0.09146 nohead lc rgb '#0062a0' dt 1 lw 2
  set label 101 '' at screen 0.53333, screen 0.09146 point lc rgb '#0062a0' pt 7 ps 0.8
  set label 201 'RoPE, RFS' at screen 0.56458, screen 0.09146 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.24125, screen 0.06250 to screen 0.28708, screen 0.06250 nohead lc rgb '#7a7a7a' dt (2,4) lw 2
  set label 102 '' at screen 0.26417, screen 0.06250 point lc rgb '#7a7a7a' pt 13 ps 0.8
  set label 202 'RoPE, random integers' at screen 0.29542, screen 0.06250 left noenhanced textcolor rgb '#222222'
  set arrow 4 from screen 0.51042, screen 0.06250 to screen 0.55625, screen 0.06250 nohead lc rgb '#56b4e9' dt (9,5) lw 2
  set label 103 '' at screen 0.53333, screen 0.06250 point lc rgb '#56b4e9' pt 6 ps 0.8
  set label 203 'RoPE, simple extension' at screen 0.56458, screen 0.06250 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: up to the training length. 35 and 32 documents; band: lowest and highest seed.' at screen 0.5, screen 0.02896 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.07500
  set rmargin at screen 0.47917
  set tmargin at screen 0.89329
  set bmargin at screen 0.59146
  set title 'trained on 28: second half of inputs by length' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'tokens' offset 0,0.6 noenhanced
  set ylabel 'perplexity' offset 0.6,0 noenhanced
  set xrange [0:224]
  unset object 1
  set object 1 rectangle from first -0.5, graph 0 to first 28.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'perplexity.dat' index 0 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 1 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 2 using 1:3:4 with filledcurves fc rgb '#7a7a7a' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 3 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 0 using 1:2 with linespoints lc rgb '#cc79a7' dt (5,3) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 1 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 2 using 1:2 with linespoints lc rgb '#7a7a7a' dt (2,4) lw 2 pt 13 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 3 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  set lmargin at screen 0.55208
  set rmargin at screen 0.97917
  set tmargin at screen 0.89329
  set bmargin at screen 0.59146
  set title 'trained on 28: longest inputs by position' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'tokens' offset 0,0.6 noenhanced
  set ylabel '' offset 0.6,0 noenhanced
  set xrange [0:224]
  unset object 1
  set object 1 rectangle from first -0.5, graph 0 to first 28.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'perplexity.dat' index 4 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 5 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 6 using 1:3:4 with filledcurves fc rgb '#7a7a7a' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 7 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 4 using 1:2 with linespoints lc rgb '#cc79a7' dt (5,3) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 5 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 6 using 1:2 with linespoints lc rgb '#7a7a7a' dt (2,4) lw 2 pt 13 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 7 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle
  set lmargin at screen 0.07500
  set rmargin at screen 0.47917
  set tmargin at screen 0.48171
  set bmargin at screen 0.17988
  set title 'trained on 130: second half of inputs by length' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'tokens' offset 0,0.6 noenhanced
  set ylabel 'perplexity' offset 0.6,0 noenhanced
  set xrange [0:1024]
  unset object 1
  set object 1 rectangle from first -0.5, graph 0 to first 130.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'perplexity.dat' index 8 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 9 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 8 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 9 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle
  set lmargin at screen 0.55208
  set rmargin at screen 0.97917
  set tmargin at screen 0.48171
  set bmargin at screen 0.17988
  set title 'trained on 130: longest inputs by position' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'tokens' offset 0,0.6 noenhanced
  set ylabel '' offset 0.6,0 noenhanced
  set xrange [0:1024]
  unset object 1
  set object 1 rectangle from first -0.5, graph 0 to first 130.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'perplexity.dat' index 10 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 11 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'perplexity.dat' index 10 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'perplexity.dat' index 11 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle
  unset multiplot
  set output
}
