# Training loss. `gnuplot loss.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 860,576 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'loss.svg' }
  if (kind == 2) { set terminal pngcairo size 1720,1152 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'loss.png' }
  if (kind == 3) { set terminal pdfcairo size 8.96in,6.00in font 'DejaVu Sans,9' enhanced; set output 'loss.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set yrange [0:*]
  set label 1 'Training loss' at screen 0.5, screen 0.96528 center noenhanced font ',15'
  set arrow 1 from screen 0.20884, screen 0.20833 to screen 0.26000, screen 0.20833 nohead lc rgb '#d55e00' dt 1 lw 2
  set label 100 '' at screen 0.23442, screen 0.20833 point lc rgb '#d55e00' pt 7 ps 0.8
  set label 200 'random_float, window = 130, batch = 120, steps = 1640' at screen 0.26930, screen 0.20833 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.20884, screen 0.17535 to screen 0.26000, screen 0.17535 nohead lc rgb '#0072b2' dt (9,5) lw 2
  set label 101 '' at screen 0.23442, screen 0.17535 point lc rgb '#0072b2' pt 4 ps 0.8
  set label 201 'sequential, window = 130, batch = 120, steps = 1640' at screen 0.26930, screen 0.17535 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.20884, screen 0.14236 to screen 0.26000, screen 0.14236 nohead lc rgb '#009e73' dt (5,3) lw 2
  set label 102 '' at screen 0.23442, screen 0.14236 point lc rgb '#009e73' pt 9 ps 0.8
  set label 202 'interpolated, window = 28, batch = 480, steps = 1900' at screen 0.26930, screen 0.14236 left noenhanced textcolor rgb '#222222'
  set arrow 4 from screen 0.20884, screen 0.10938 to screen 0.26000, screen 0.10938 nohead lc rgb '#cc79a7' dt (12,4,2,4) lw 2
  set label 103 '' at screen 0.23442, screen 0.10938 point lc rgb '#cc79a7' pt 12 ps 0.8
  set label 203 'random_float, window = 28, batch = 480, steps = 1900' at screen 0.26930, screen 0.10938 left noenhanced textcolor rgb '#222222'
  set arrow 5 from screen 0.20884, screen 0.07639 to screen 0.26000, screen 0.07639 nohead lc rgb '#e69f00' dt (2,4) lw 2
  set label 104 '' at screen 0.23442, screen 0.07639 point lc rgb '#e69f00' pt 5 ps 0.8
  set label 204 'random_integer, window = 28, batch = 480, steps = 1900' at screen 0.26930, screen 0.07639 left noenhanced textcolor rgb '#222222'
  set arrow 6 from screen 0.20884, screen 0.04340 to screen 0.26000, screen 0.04340 nohead lc rgb '#56b4e9' dt 1 lw 2
  set label 105 '' at screen 0.23442, screen 0.04340 point lc rgb '#56b4e9' pt 6 ps 0.8
  set label 205 'sequential, window = 28, batch = 480, steps = 1900' at screen 0.26930, screen 0.04340 left noenhanced textcolor rgb '#222222'
  set lmargin at screen 0.09070
  set rmargin at screen 0.97674
  set tmargin at screen 0.91667
  set bmargin at screen 0.30903
  set title '' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'step' offset 0,0.6 noenhanced
  set ylabel 'loss (nats per token)' offset 0.2,0 noenhanced
  unset object 1
  plot \
    'loss.dat' index 0 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'loss.dat' index 1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'loss.dat' index 2 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'loss.dat' index 3 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'loss.dat' index 4 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'loss.dat' index 5 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'loss.dat' index 0 using 1:2 with linespoints lc rgb '#d55e00' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'loss.dat' index 1 using 1:2 with linespoints lc rgb '#0072b2' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'loss.dat' index 2 using 1:2 with linespoints lc rgb '#009e73' dt (5,3) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'loss.dat' index 3 using 1:2 with linespoints lc rgb '#cc79a7' dt (12,4,2,4) lw 2 pt 12 ps 0.8 pi 1 notitle, \
    'loss.dat' index 4 using 1:2 with linespoints lc rgb '#e69f00' dt (2,4) lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'loss.dat' index 5 using 1:2 with linespoints lc rgb '#56b4e9' dt 1 lw 2 pt 6 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  unset multiplot
  set output
}
