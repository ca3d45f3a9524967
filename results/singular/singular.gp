# Singular values of the sinusoidal position matrix. `gnuplot singular.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 960,386 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'singular.svg' }
  if (kind == 2) { set terminal pngcairo size 1920,772 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'singular.png' }
  if (kind == 3) { set terminal pdfcairo size 10.00in,4.02in font 'DejaVu Sans,9' enhanced; set output 'singular.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set logscale y 10
  set format y '10^{%T}'
  set label 1 'Singular values of the sinusoidal position matrix' at screen 0.5, screen 0.94819 center noenhanced font ',15'
  set arrow 1 from screen 0.21125, screen 0.15544 to screen 0.25708, screen 0.15544 nohead lc rgb '#440154' dt 1 lw 2
  set label 100 '' at screen 0.23417, screen 0.15544 point lc rgb '#440154' pt 2 ps 0.8
  set label 200 'n = 64' at screen 0.26542, screen 0.15544 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.36083, screen 0.15544 to screen 0.40667, screen 0.15544 nohead lc rgb '#46327e' dt (6,3) lw 2
  set label 101 '' at screen 0.38375, screen 0.15544 point lc rgb '#46327e' pt 4 ps 0.8
  set label 201 'n = 128' at screen 0.41500, screen 0.15544 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.51042, screen 0.15544 to screen 0.55625, screen 0.15544 nohead lc rgb '#365c8d' dt 1 lw 2
  set label 102 '' at screen 0.53333, screen 0.15544 point lc rgb '#365c8d' pt 6 ps 0.8
  set label 202 'n = 256' at screen 0.56458, screen 0.15544 left noenhanced textcolor rgb '#222222'
  set arrow 4 from screen 0.66000, screen 0.15544 to screen 0.70583, screen 0.15544 nohead lc rgb '#277f8e' dt (6,3) lw 2
  set label 103 '' at screen 0.68292, screen 0.15544 point lc rgb '#277f8e' pt 8 ps 0.8
  set label 203 'n = 512' at screen 0.71417, screen 0.15544 left noenhanced textcolor rgb '#222222'
  set arrow 5 from screen 0.21125, screen 0.10622 to screen 0.25708, screen 0.10622 nohead lc rgb '#1fa187' dt 1 lw 2
  set label 104 '' at screen 0.23417, screen 0.10622 point lc rgb '#1fa187' pt 12 ps 0.8
  set label 204 'n = 1024' at screen 0.26542, screen 0.10622 left noenhanced textcolor rgb '#222222'
  set arrow 6 from screen 0.36083, screen 0.10622 to screen 0.40667, screen 0.10622 nohead lc rgb '#4ac16d' dt (6,3) lw 2
  set label 105 '' at screen 0.38375, screen 0.10622 point lc rgb '#4ac16d' pt 5 ps 0.8
  set label 205 'n = 2048' at screen 0.41500, screen 0.10622 left noenhanced textcolor rgb '#222222'
  set arrow 7 from screen 0.51042, screen 0.10622 to screen 0.55625, screen 0.10622 nohead lc rgb '#a0b416' dt 1 lw 2
  set label 106 '' at screen 0.53333, screen 0.10622 point lc rgb '#a0b416' pt 7 ps 0.8
  set label 206 'n = 4096' at screen 0.56458, screen 0.10622 left noenhanced textcolor rgb '#222222'
  set arrow 8 from screen 0.66000, screen 0.10622 to screen 0.70583, screen 0.10622 nohead lc rgb '#d8a01c' dt (6,3) lw 2
  set label 107 '' at screen 0.68292, screen 0.10622 point lc rgb '#d8a01c' pt 9 ps 0.8
  set label 207 'n = 8192' at screen 0.71417, screen 0.10622 left noenhanced textcolor rgb '#222222'
  set label 10 'Width 256; RFS spreads positions evenly over [0, 2048). Values below 1e-6 are not drawn.' at screen 0.5, screen 0.04922 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.07500
  set rmargin at screen 0.47917
  set tmargin at screen 0.81865
  set bmargin at screen 0.30570
  set title 'Simple extension' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'number of the singular value' offset 0,0.6 noenhanced
  set ylabel 'singular value' offset 0.6,0 noenhanced
  set xrange [0:165]
  unset object 1
  plot \
    'singular.dat' index 0 using 1:3:4 with filledcurves fc rgb '#440154' fs transparent solid 0.15 noborder notitle, \
    'singular.dat' index 1 using 1:3:4 with filledcurves fc rgb '#46327e' fs transparent solid 0.15 noborder notitle, \
    'singular.dat' index 2 using 1:3:4 with filledcurves fc rgb '#365c8d' fs transparent solid 0.15 noborder notitle, \
    'singular.dat' index 3 using 1:3:4 with filledcurves fc rgb '#277f8e' fs transparent solid 0.15 noborder notitle, \
    'singular.dat' index 4 using 1:3:4 with filledcurves fc rgb '#1fa187' fs transparent solid 0.15 noborder notitle, \
    'singular.dat' index 5 using 1:3:4 with filledcurves fc rgb '#4ac16d' fs transparent solid 0.15 noborder notitle, \
    'singular.dat' index 6 using 1:3:4 with filledcurves fc rgb '#a0b416' fs transparent solid 0.15 noborder notitle, \
    'singular.dat' index 7 using 1:3:4 with filledcurves fc rgb '#d8a01c' fs transparent solid 0.15 noborder notitle, \
    'singular.dat' index 0 using 1:2 with linespoints lc rgb '#440154' dt 1 lw 2 pt 2 ps 0.8 pi 1 notitle, \
    'singular.dat' index 1 using 1:2 with linespoints lc rgb '#46327e' dt (6,3) lw 2 pt 4 ps 0.8 pi 4 notitle, \
    'singular.dat' index 2 using 1:2 with linespoints lc rgb '#365c8d' dt 1 lw 2 pt 6 ps 0.8 pi 5 notitle, \
    'singular.dat' index 3 using 1:2 with linespoints lc rgb '#277f8e' dt (6,3) lw 2 pt 8 ps 0.8 pi 7 notitle, \
    'singular.dat' index 4 using 1:2 with linespoints lc rgb '#1fa187' dt 1 lw 2 pt 12 ps 0.8 pi 8 notitle, \
    'singular.dat' index 5 using 1:2 with linespoints lc rgb '#4ac16d' dt (6,3) lw 2 pt 5 ps 0.8 pi 10 notitle, \
    'singular.dat' index 6 using 1:2 with linespoints lc rgb '#a0b416' dt 1 lw 2 pt 7 ps 0.8 pi 12 notitle, \
    'singular.dat' index 7 using 1:2 with linespoints lc rgb '#d8a01c' dt (6,3) lw 2 pt 9 ps 0.8 pi 13 notitle
  unset label
  unset arrow
  set lmargin at screen 0.55208
  set rmargin at screen 0.97917
  set tmargin at screen 0.81865
  set bmargin at screen 0.30570
  set title 'RFS' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'number of the singular value' offset 0,0.6 noenhanced
  set ylabel '' offset 0.6,0 noenhanced
  set xrange [0:165]
  unset object 1
  plot \
    'singular.dat' index 8 using 1:3:4 with filledcurves fc rgb '#440154' fs transparent solid 0.15 noborder notitle, \
    'singular.dat' index 9 using 1:3:4 with filledcurves fc rgb '#46327e' fs transparent solid 0.15 noborder notitle, \
    'singular.dat' index 10 using 1:3:4 with filledcurves fc rgb '#365c8d' fs transparent solid 0.15 noborder notitle, \
    'singular.dat' index 11 using 1:3:4 with filledcurves fc rgb '#277f8e' fs transparent solid 0.15 noborder notitle, \
    'singular.dat' index 12 using 1:3:4 with filledcurves fc rgb '#1fa187' fs transparent solid 0.15 noborder notitle, \
    'singular.dat' index 13 using 1:3:4 with filledcurves fc rgb '#4ac16d' fs transparent solid 0.15 noborder notitle, \
    'singular.dat' index 14 using 1:3:4 with filledcurves fc rgb '#a0b416' fs transparent solid 0.15 noborder notitle, \
    'singular.dat' index 15 using 1:3:4 with filledcurves fc rgb '#d8a01c' fs transparent solid 0.15 noborder notitle, \
    'singular.dat' index 8 using 1:2 with linespoints lc rgb '#440154' dt 1 lw 2 pt 2 ps 0.8 pi 5 notitle, \
    'singular.dat' index 9 using 1:2 with linespoints lc rgb '#46327e' dt (6,3) lw 2 pt 4 ps 0.8 pi 9 notitle, \
    'singular.dat' index 10 using 1:2 with linespoints lc rgb '#365c8d' dt 1 lw 2 pt 6 ps 0.8 pi 10 notitle, \
    'singular.dat' index 11 using 1:2 with linespoints lc rgb '#277f8e' dt (6,3) lw 2 pt 8 ps 0.8 pi 10 notitle, \
    'singular.dat' index 12 using 1:2 with linespoints lc rgb '#1fa187' dt 1 lw 2 pt 12 ps 0.8 pi 10 notitle, \
    'singular.dat' index 13 using 1:2 with linespoints lc rgb '#4ac16d' dt (6,3) lw 2 pt 5 ps 0.8 pi 10 notitle, \
    'singular.dat' index 14 using 1:2 with linespoints lc rgb '#a0b416' dt 1 lw 2 pt 7 ps 0.8 pi 10 notitle, \
    'singular.dat' index 15 using 1:2 with linespoints lc rgb '#d8a01c' dt (6,3) lw 2 pt 9 ps 0.8 pi 10 notitle
  unset multiplot
  set output
}
