# Six tasks: simple extension, RFS and no position encoding. `gnuplot token_accuracy.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 1020,672 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'token_accuracy.svg' }
  if (kind == 2) { set terminal pngcairo size 2040,1344 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'token_accuracy.png' }
  if (kind == 3) { set terminal pdfcairo size 10.62in,7.00in font 'DejaVu Sans,9' enhanced; set output 'token_accuracy.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set yrange [0:1.02]
  set ytics 0.2
  set format y '%.1f'
  set label 1 'Six tasks: simple extension, RFS and no position encoding' at screen 0.5, screen 0.97024 center noenhanced font ',15'
  set arrow 1 from screen 0.05745, screen 0.11310 to screen 0.10059, screen 0.11310 nohead lc rgb '#e69f00' dt (9,5) lw 2
  set label 100 '' at screen 0.07902, screen 0.11310 point lc rgb '#e69f00' pt 4 ps 0.8
  set label 200 'Sinusoidal, simple extension' at screen 0.10843, screen 0.11310 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.35902, screen 0.11310 to screen 0.40216, screen 0.11310 nohead lc rgb '#c04a00' dt 1 lw 2
  set label 101 '' at screen 0.38059, screen 0.11310 point lc rgb '#c04a00' pt 5 ps 0.8
  set label 201 'Sinusoidal, RFS' at screen 0.41000, screen 0.11310 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.66059, screen 0.11310 to screen 0.70373, screen 0.11310 nohead lc rgb '#56b4e9' dt (9,5) lw 2
  set label 102 '' at screen 0.68216, screen 0.11310 point lc rgb '#56b4e9' pt 6 ps 0.8
  set label 202 'RoPE, simple extension' at screen 0.71157, screen 0.11310 left noenhanced textcolor rgb '#222222'
  set arrow 4 from screen 0.05745, screen 0.08482 to screen 0.10059, screen 0.08482 nohead lc rgb '#0062a0' dt 1 lw 2
  set label 103 '' at screen 0.07902, screen 0.08482 point lc rgb '#0062a0' pt 7 ps 0.8
  set label 203 'RoPE, RFS' at screen 0.10843, screen 0.08482 left noenhanced textcolor rgb '#222222'
  set arrow 5 from screen 0.35902, screen 0.08482 to screen 0.40216, screen 0.08482 nohead lc rgb '#000000' dt (12,4,2,4) lw 2
  set label 104 '' at screen 0.38059, screen 0.08482 point lc rgb '#000000' pt 2 ps 0.8
  set label 204 'NoPE' at screen 0.41000, screen 0.08482 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: trained lengths. Seed 256788; one seed; 1 to 100 samples per length and seed.' at screen 0.5, screen 0.05208 center noenhanced textcolor rgb '#555555' font ',10'
  set label 11 "The paper\047s sizes, 20000 steps instead of 40000. Missing: seeds 234054, 146317." at screen 0.5, screen 0.02827 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.06078
  set rmargin at screen 0.31373
  set tmargin at screen 0.89583
  set bmargin at screen 0.60119
  set title 'Copy2' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel 'token accuracy' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 20.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 0 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 1 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 2 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 3 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 4 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 0 using 1:2 with linespoints lc rgb '#e69f00' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 1 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 2 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 3 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 4 using 1:2 with linespoints lc rgb '#000000' dt (12,4,2,4) lw 2 pt 2 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  set lmargin at screen 0.38235
  set rmargin at screen 0.64706
  set tmargin at screen 0.89583
  set bmargin at screen 0.60119
  set title 'Reverse' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 20.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 5 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 6 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 7 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 8 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 9 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 5 using 1:2 with linespoints lc rgb '#e69f00' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 6 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 7 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 8 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 9 using 1:2 with linespoints lc rgb '#000000' dt (12,4,2,4) lw 2 pt 2 ps 0.8 pi 1 notitle
  set lmargin at screen 0.71569
  set rmargin at screen 0.98039
  set tmargin at screen 0.89583
  set bmargin at screen 0.60119
  set title 'Addition' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 0.5, graph 0 to first 8.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 10 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 11 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 12 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 13 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 14 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 10 using 1:2 with linespoints lc rgb '#e69f00' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 11 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 12 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 13 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 14 using 1:2 with linespoints lc rgb '#000000' dt (12,4,2,4) lw 2 pt 2 ps 0.8 pi 1 notitle
  set lmargin at screen 0.06078
  set rmargin at screen 0.31373
  set tmargin at screen 0.49405
  set bmargin at screen 0.19940
  set title 'Sort' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel 'token accuracy' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 8.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 15 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 16 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 17 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 18 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 19 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 15 using 1:2 with linespoints lc rgb '#e69f00' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 16 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 17 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 18 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 19 using 1:2 with linespoints lc rgb '#000000' dt (12,4,2,4) lw 2 pt 2 ps 0.8 pi 1 notitle
  set lmargin at screen 0.38235
  set rmargin at screen 0.64706
  set tmargin at screen 0.49405
  set bmargin at screen 0.19940
  set title 'Summation' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 8.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 20 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 21 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 22 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 23 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 24 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 20 using 1:2 with linespoints lc rgb '#e69f00' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 21 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 22 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 23 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 24 using 1:2 with linespoints lc rgb '#000000' dt (12,4,2,4) lw 2 pt 2 ps 0.8 pi 1 notitle
  set lmargin at screen 0.71569
  set rmargin at screen 0.98039
  set tmargin at screen 0.49405
  set bmargin at screen 0.19940
  set title 'SCAN' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 0.5, graph 0 to first 25.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 25 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 26 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 27 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 28 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 29 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 25 using 1:2 with linespoints lc rgb '#e69f00' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 26 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 27 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 28 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 29 using 1:2 with linespoints lc rgb '#000000' dt (12,4,2,4) lw 2 pt 2 ps 0.8 pi 1 notitle
  unset multiplot
  set output
}
