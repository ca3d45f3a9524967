# ALiBi with and without RFS, beside the other encodings. `gnuplot edit_distance.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 1360,672 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'edit_distance.svg' }
  if (kind == 2) { set terminal pngcairo size 2040,1008 font 'DejaVu Sans,12' fontscale 1.5 linewidth 1.5 pointscale 1.5 enhanced; set output 'edit_distance.png' }
  if (kind == 3) { set terminal pdfcairo size 14.17in,7.00in font 'DejaVu Sans,9' enhanced; set output 'edit_distance.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set yrange [0:1.02]
  set ytics 0.2
  set format y '%.1f'
  set label 1 'ALiBi with and without RFS, beside the other encodings' at screen 0.5, screen 0.97024 center noenhanced font ',15'
  set arrow 1 from screen 0.05500, screen 0.11310 to screen 0.08735, screen 0.11310 nohead lc rgb '#66c2a5' dt (9,5) lw 2
  set label 100 '' at screen 0.07118, screen 0.11310 point lc rgb '#66c2a5' pt 8 ps 0.8
  set label 200 'ALiBi, simple extension' at screen 0.09324, screen 0.11310 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.28118, screen 0.11310 to screen 0.31353, screen 0.11310 nohead lc rgb '#00785a' dt 1 lw 2
  set label 101 '' at screen 0.29735, screen 0.11310 point lc rgb '#00785a' pt 9 ps 0.8
  set label 201 'ALiBi, RFS' at screen 0.31941, screen 0.11310 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.50735, screen 0.11310 to screen 0.53971, screen 0.11310 nohead lc rgb '#e69f00' dt (9,5) lw 2
  set label 102 '' at screen 0.52353, screen 0.11310 point lc rgb '#e69f00' pt 4 ps 0.8
  set label 202 'Sinusoidal, simple extension' at screen 0.54559, screen 0.11310 left noenhanced textcolor rgb '#222222'
  set arrow 4 from screen 0.73353, screen 0.11310 to screen 0.76588, screen 0.11310 nohead lc rgb '#c04a00' dt 1 lw 2
  set label 103 '' at screen 0.74971, screen 0.11310 point lc rgb '#c04a00' pt 5 ps 0.8
  set label 203 'Sinusoidal, RFS' at screen 0.77176, screen 0.11310 left noenhanced textcolor rgb '#222222'
  set arrow 5 from screen 0.05500, screen 0.08482 to screen 0.08735, screen 0.08482 nohead lc rgb '#56b4e9' dt (9,5) lw 2
  set label 104 '' at screen 0.07118, screen 0.08482 point lc rgb '#56b4e9' pt 6 ps 0.8
  set label 204 'RoPE, simple extension' at screen 0.09324, screen 0.08482 left noenhanced textcolor rgb '#222222'
  set arrow 6 from screen 0.28118, screen 0.08482 to screen 0.31353, screen 0.08482 nohead lc rgb '#0062a0' dt 1 lw 2
  set label 105 '' at screen 0.29735, screen 0.08482 point lc rgb '#0062a0' pt 7 ps 0.8
  set label 205 'RoPE, RFS' at screen 0.31941, screen 0.08482 left noenhanced textcolor rgb '#222222'
  set arrow 7 from screen 0.50735, screen 0.08482 to screen 0.53971, screen 0.08482 nohead lc rgb '#000000' dt (12,4,2,4) lw 2
  set label 106 '' at screen 0.52353, screen 0.08482 point lc rgb '#000000' pt 2 ps 0.8
  set label 206 'NoPE' at screen 0.54559, screen 0.08482 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: trained lengths. Seed 1; one seed; 1 to 50 samples per length and seed.' at screen 0.5, screen 0.05208 center noenhanced textcolor rgb '#555555' font ',10'
  set label 11 'Preset tiny, 2000 steps.' at screen 0.5, screen 0.02827 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.04559
  set rmargin at screen 0.23529
  set tmargin at screen 0.89583
  set bmargin at screen 0.60119
  set title 'Copy' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel 'edit distance' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 10.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'edit_distance.dat' index 0 using 1:3:4 with filledcurves fc rgb '#66c2a5' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 1 using 1:3:4 with filledcurves fc rgb '#00785a' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 2 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 3 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 4 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 5 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 6 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 0 using 1:2 with linespoints lc rgb '#66c2a5' dt (9,5) lw 2 pt 8 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 1 using 1:2 with linespoints lc rgb '#00785a' dt 1 lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 2 using 1:2 with linespoints lc rgb '#e69f00' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 3 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 4 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 5 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 6 using 1:2 with linespoints lc rgb '#000000' dt (12,4,2,4) lw 2 pt 2 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  set lmargin at screen 0.28676
  set rmargin at screen 0.48529
  set tmargin at screen 0.89583
  set bmargin at screen 0.60119
  set title 'Copy2' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 10.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'edit_distance.dat' index 7 using 1:3:4 with filledcurves fc rgb '#66c2a5' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 8 using 1:3:4 with filledcurves fc rgb '#00785a' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 9 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 10 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 11 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 12 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 13 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 7 using 1:2 with linespoints lc rgb '#66c2a5' dt (9,5) lw 2 pt 8 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 8 using 1:2 with linespoints lc rgb '#00785a' dt 1 lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 9 using 1:2 with linespoints lc rgb '#e69f00' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 10 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 11 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 12 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 13 using 1:2 with linespoints lc rgb '#000000' dt (12,4,2,4) lw 2 pt 2 ps 0.8 pi 1 notitle
  set lmargin at screen 0.53676
  set rmargin at screen 0.73529
  set tmargin at screen 0.89583
  set bmargin at screen 0.60119
  set title 'Reverse' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 10.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'edit_distance.dat' index 14 using 1:3:4 with filledcurves fc rgb '#66c2a5' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 15 using 1:3:4 with filledcurves fc rgb '#00785a' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 16 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 17 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 18 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 19 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 20 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 14 using 1:2 with linespoints lc rgb '#66c2a5' dt (9,5) lw 2 pt 8 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 15 using 1:2 with linespoints lc rgb '#00785a' dt 1 lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 16 using 1:2 with linespoints lc rgb '#e69f00' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 17 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 18 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 19 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 20 using 1:2 with linespoints lc rgb '#000000' dt (12,4,2,4) lw 2 pt 2 ps 0.8 pi 1 notitle
  set lmargin at screen 0.78676
  set rmargin at screen 0.98529
  set tmargin at screen 0.89583
  set bmargin at screen 0.60119
  set title 'Addition' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 0.5, graph 0 to first 4.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'edit_distance.dat' index 21 using 1:3:4 with filledcurves fc rgb '#66c2a5' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 22 using 1:3:4 with filledcurves fc rgb '#00785a' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 23 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 24 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 25 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 26 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 27 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 21 using 1:2 with linespoints lc rgb '#66c2a5' dt (9,5) lw 2 pt 8 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 22 using 1:2 with linespoints lc rgb '#00785a' dt 1 lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 23 using 1:2 with linespoints lc rgb '#e69f00' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 24 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 25 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 26 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 27 using 1:2 with linespoints lc rgb '#000000' dt (12,4,2,4) lw 2 pt 2 ps 0.8 pi 1 notitle
  set lmargin at screen 0.04559
  set rmargin at screen 0.23529
  set tmargin at screen 0.49405
  set bmargin at screen 0.19940
  set title 'Sort' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel 'edit distance' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 5.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'edit_distance.dat' index 28 using 1:3:4 with filledcurves fc rgb '#66c2a5' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 29 using 1:3:4 with filledcurves fc rgb '#00785a' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 30 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 31 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 32 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 33 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 34 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 28 using 1:2 with linespoints lc rgb '#66c2a5' dt (9,5) lw 2 pt 8 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 29 using 1:2 with linespoints lc rgb '#00785a' dt 1 lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 30 using 1:2 with linespoints lc rgb '#e69f00' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 31 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 32 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 33 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 34 using 1:2 with linespoints lc rgb '#000000' dt (12,4,2,4) lw 2 pt 2 ps 0.8 pi 1 notitle
  set lmargin at screen 0.28676
  set rmargin at screen 0.48529
  set tmargin at screen 0.49405
  set bmargin at screen 0.19940
  set title 'Summation' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 6.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'edit_distance.dat' index 35 using 1:3:4 with filledcurves fc rgb '#66c2a5' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 36 using 1:3:4 with filledcurves fc rgb '#00785a' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 37 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 38 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 39 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 40 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 41 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 35 using 1:2 with linespoints lc rgb '#66c2a5' dt (9,5) lw 2 pt 8 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 36 using 1:2 with linespoints lc rgb '#00785a' dt 1 lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 37 using 1:2 with linespoints lc rgb '#e69f00' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 38 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 39 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 40 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 41 using 1:2 with linespoints lc rgb '#000000' dt (12,4,2,4) lw 2 pt 2 ps 0.8 pi 1 notitle
  set lmargin at screen 0.53676
  set rmargin at screen 0.73529
  set tmargin at screen 0.49405
  set bmargin at screen 0.19940
  set title 'SCAN' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 0.5, graph 0 to first 25.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'edit_distance.dat' index 42 using 1:3:4 with filledcurves fc rgb '#66c2a5' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 43 using 1:3:4 with filledcurves fc rgb '#00785a' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 44 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 45 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 46 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 47 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 48 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 42 using 1:2 with linespoints lc rgb '#66c2a5' dt (9,5) lw 2 pt 8 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 43 using 1:2 with linespoints lc rgb '#00785a' dt 1 lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 44 using 1:2 with linespoints lc rgb '#e69f00' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 45 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 46 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 47 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 48 using 1:2 with linespoints lc rgb '#000000' dt (12,4,2,4) lw 2 pt 2 ps 0.8 pi 1 notitle
  unset multiplot
  set output
}
