# Time per generated token. `gnuplot speed.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 860,513 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'speed.svg' }
  if (kind == 2) { set terminal pngcairo size 1720,1026 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'speed.png' }
  if (kind == 3) { set terminal pdfcairo size 8.96in,5.34in font 'DejaVu Sans,9' enhanced; set output 'speed.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set logscale y 2
  set format y '%g'
  set label 1 'Time per generated token' at screen 0.5, screen 0.96101 center noenhanced font ',15'
  set arrow 1 from screen 0.17767, screen 0.11111 to screen 0.22884, screen 0.11111 nohead lc rgb '#d55e00' dt 1 lw 2
  set label 100 '' at screen 0.20326, screen 0.11111 point lc rgb '#d55e00' pt 7 ps 0.8
  set label 200 'current' at screen 0.23814, screen 0.11111 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.34465, screen 0.11111 to screen 0.39581, screen 0.11111 nohead lc rgb '#0072b2' dt (9,5) lw 2
  set label 101 '' at screen 0.37023, screen 0.11111 point lc rgb '#0072b2' pt 4 ps 0.8
  set label 201 'planned' at screen 0.40512, screen 0.11111 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.51163, screen 0.11111 to screen 0.56279, screen 0.11111 nohead lc rgb '#009e73' dt (5,3) lw 2
  set label 102 '' at screen 0.53721, screen 0.11111 point lc rgb '#009e73' pt 9 ps 0.8
  set label 202 'bucket' at screen 0.57209, screen 0.11111 left noenhanced textcolor rgb '#222222'
  set arrow 4 from screen 0.67860, screen 0.11111 to screen 0.72977, screen 0.11111 nohead lc rgb '#cc79a7' dt (12,4,2,4) lw 2
  set label 103 '' at screen 0.70419, screen 0.11111 point lc rgb '#cc79a7' pt 12 ps 0.8
  set label 203 'rerotate' at screen 0.73907, screen 0.11111 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: up to the training length of 129 tokens. 8 texts.' at screen 0.5, screen 0.06823 center noenhanced textcolor rgb '#555555' font ',10'
  set label 11 "Intel(R) Xeon(R) Processor \100 2.80GHz, 2 cores, cpu" at screen 0.5, screen 0.03704 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.08372
  set rmargin at screen 0.97674
  set tmargin at screen 0.90643
  set bmargin at screen 0.22417
  set title '' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'text length in tokens' offset 0,0.6 noenhanced
  set ylabel 'milliseconds' offset 0.6,0 noenhanced
  set xrange [0:1024]
  unset object 1
  set object 1 rectangle from first -0.5, graph 0 to first 129.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'speed.dat' index 0 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'speed.dat' index 1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'speed.dat' index 2 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'speed.dat' index 3 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'speed.dat' index 0 using 1:2 with linespoints lc rgb '#d55e00' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'speed.dat' index 1 using 1:2 with linespoints lc rgb '#0072b2' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'speed.dat' index 2 using 1:2 with linespoints lc rgb '#009e73' dt (5,3) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'speed.dat' index 3 using 1:2 with linespoints lc rgb '#cc79a7' dt (12,4,2,4) lw 2 pt 12 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  unset multiplot
  set output
}
