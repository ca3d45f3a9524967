# Training loss by step. `gnuplot loss.gp` in this folder draws it again.
set encoding utf8
set border 3 lc rgb '#666666'
set tics nomirror textcolor rgb '#333333'
set grid ytics lc rgb '#dddddd'
set key outside bottom center horizontal noenhanced
set bmargin 5.5
set key at screen 0.5, screen 0.05
set title 'Training loss' textcolor rgb '#222222'
set xlabel 'step'
set ylabel 'loss (nats a token)'
set yrange [0:*]
set terminal svg size 860,460 font 'DejaVu Sans,13' background rgb 'white' enhanced
set output 'loss.svg'
plot \
  'loss.dat' index 0 using 1:2 with lines lc rgb '#d55e00' lw 2 title 'random_float, window = 130, batch = 120, steps = 1640', \
  'loss.dat' index 1 using 1:2 with lines lc rgb '#0072b2' lw 2 title 'sequential, window = 130, batch = 120, steps = 1640', \
  'loss.dat' index 2 using 1:2 with lines lc rgb '#009e73' lw 2 title 'interpolated, window = 28, batch = 480, steps = 1900', \
  'loss.dat' index 3 using 1:2 with lines lc rgb '#cc79a7' lw 2 title 'random_float, window = 28, batch = 480, steps = 1900', \
  'loss.dat' index 4 using 1:2 with lines lc rgb '#e69f00' lw 2 title 'random_integer, window = 28, batch = 480, steps = 1900', \
  'loss.dat' index 5 using 1:2 with lines lc rgb '#56b4e9' lw 2 title 'sequential, window = 28, batch = 480, steps = 1900'

set terminal pngcairo size 1720,920 font 'DejaVu Sans,13' fontscale 2 linewidth 2 pointscale 2 enhanced
set output 'loss.png'
replot
set output
