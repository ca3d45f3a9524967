# `gnuplot scores.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:2] {
  reset
  if (kind == 1) { set terminal svg size 420,620 font 'DejaVu Sans,12' background rgb 'white'; set output 'scores.svg' }
  if (kind == 2) { set terminal pngcairo size 840,1240 font 'DejaVu Sans,12' fontscale 2 linewidth 2; set output 'scores.png' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  set boxwidth 0.3800
  set style fill solid 0.85 noborder
  set yrange [0:53]
  set xrange [0.4:2.6]
  set ylabel 'accuracy, %'
  set pointintervalbox 0
  set multiplot layout 2,1
  set xtics ('ARC-Easy (1252)' 1, 'BoolQ (1638)' 2) noenhanced
  set title 'At most the context size (ID), with the number of documents' noenhanced
  unset key
  plot 'scores.dat' index 0 using 1:2 with boxes lc rgb '#56b4e9' title 'RoPE, simple extension', 'scores.dat' index 0 using 1:2:3 with yerrorbars ps 0 lc rgb '#333333' notitle, 'scores.dat' index 1 using 1:2 with boxes lc rgb '#0062a0' title 'RoPE, RFS', 'scores.dat' index 1 using 1:2:3 with yerrorbars ps 0 lc rgb '#333333' notitle
  set xtics ('ARC-Easy (1124)' 1, 'BoolQ (1632)' 2) noenhanced
  set title 'Longer than the context size (OOD)' noenhanced
  set key below horizontal noenhanced
  plot 'scores.dat' index 2 using 1:2 with boxes lc rgb '#56b4e9' title 'RoPE, simple extension', 'scores.dat' index 2 using 1:2:3 with yerrorbars ps 0 lc rgb '#333333' notitle, 'scores.dat' index 3 using 1:2 with boxes lc rgb '#0062a0' title 'RoPE, RFS', 'scores.dat' index 3 using 1:2:3 with yerrorbars ps 0 lc rgb '#333333' notitle
  unset multiplot
  set output
}
