# RFS, position interpolation and random integers. `gnuplot token_accuracy.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 960,402 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'token_accuracy.svg' }
  if (kind == 2) { set terminal pngcairo size 1920,804 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'token_accuracy.png' }
  if (kind == 3) { set terminal pdfcairo size 10.00in,4.19in font 'DejaVu Sans,9' enhanced; set output 'token_accuracy.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set yrange [0:1.02]
  set ytics 0.2
  set format y '%.1f'
  set label 1 'RFS, position interpolation and random integers' at screen 0.5, screen 0.95025 center noenhanced font ',15'
  set arrow 1 from screen 0.04260, screen 0.18905 to screen 0.08844, screen 0.18905 nohead lc rgb '#c04a00' dt 1 lw 2
  set label 100 '' at screen 0.06552, screen 0.18905 point lc rgb '#c04a00' pt 5 ps 0.8
  set label 200 'Sinusoidal, RFS' at screen 0.09677, screen 0.18905 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.35448, screen 0.18905 to screen 0.40031, screen 0.18905 nohead lc rgb '#cc79a7' dt (5,3) lw 2
  set label 101 '' at screen 0.37740, screen 0.18905 point lc rgb '#cc79a7' pt 8 ps 0.8
  set label 201 'Sinusoidal, interpolation' at screen 0.40865, screen 0.18905 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.66635, screen 0.18905 to screen 0.71219, screen 0.18905 nohead lc rgb '#7a7a7a' dt (2,4) lw 2
  set label 102 '' at screen 0.68927, screen 0.18905 point lc rgb '#7a7a7a' pt 12 ps 0.8
  set label 202 'Sinusoidal, random integers' at screen 0.72052, screen 0.18905 left noenhanced textcolor rgb '#222222'
  set arrow 4 from screen 0.04260, screen 0.14179 to screen 0.08844, screen 0.14179 nohead lc rgb '#0062a0' dt 1 lw 2
  set label 103 '' at screen 0.06552, screen 0.14179 point lc rgb '#0062a0' pt 7 ps 0.8
  set label 203 'RoPE, RFS' at screen 0.09677, screen 0.14179 left noenhanced textcolor rgb '#222222'
  set arrow 5 from screen 0.35448, screen 0.14179 to screen 0.40031, screen 0.14179 nohead lc rgb '#cc79a7' dt (5,3) lw 2
  set label 104 '' at screen 0.37740, screen 0.14179 point lc rgb '#cc79a7' pt 9 ps 0.8
  set label 204 'RoPE, interpolation' at screen 0.40865, screen 0.14179 left noenhanced textcolor rgb '#222222'
  set arrow 6 from screen 0.66635, screen 0.14179 to screen 0.71219, screen 0.14179 nohead lc rgb '#7a7a7a' dt (2,4) lw 2
  set label 105 '' at screen 0.68927, screen 0.14179 point lc rgb '#7a7a7a' pt 13 ps 0.8
  set label 205 'RoPE, random integers' at screen 0.72052, screen 0.14179 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: trained lengths. Mean of seeds 146317, 234054, 256788; band: lowest to highest seed; 100 samples per length and seed.' at screen 0.5, screen 0.08706 center noenhanced textcolor rgb '#555555' font ',10'
  set label 11 "The paper\047s sizes, 40000 steps. Missing: Copy2, Reverse, Addition, Sort, Summation, SCAN; seeds of 5 lines." at screen 0.5, screen 0.04726 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.06458
  set rmargin at screen 0.47917
  set tmargin at screen 0.82587
  set bmargin at screen 0.33333
  set title 'Copy, Sinusoidal' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel 'token accuracy' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 20.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 0 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 1 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 2 using 1:3:4 with filledcurves fc rgb '#7a7a7a' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 0 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 1 using 1:2 with linespoints lc rgb '#cc79a7' dt (5,3) lw 2 pt 8 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 2 using 1:2 with linespoints lc rgb '#7a7a7a' dt (2,4) lw 2 pt 12 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  set lmargin at screen 0.55208
  set rmargin at screen 0.97917
  set tmargin at screen 0.82587
  set bmargin at screen 0.33333
  set title 'Copy, RoPE' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 20.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 3 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 4 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 5 using 1:3:4 with filledcurves fc rgb '#7a7a7a' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 3 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 4 using 1:2 with linespoints lc rgb '#cc79a7' dt (5,3) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 5 using 1:2 with linespoints lc rgb '#7a7a7a' dt (2,4) lw 2 pt 13 ps 0.8 pi 1 notitle
  unset multiplot
  set output
}
