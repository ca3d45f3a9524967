# The arena: Biases. `gnuplot curves_biases.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 860,516 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'curves_biases.svg' }
  if (kind == 2) { set terminal pngcairo size 1720,1032 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'curves_biases.png' }
  if (kind == 3) { set terminal pdfcairo size 8.96in,5.38in font 'DejaVu Sans,9' enhanced; set output 'curves_biases.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set yrange [0:1.02]
  set ytics 0.2
  set format y '%.1f'
  set label 1 'The arena: Biases' at screen 0.5, screen 0.96124 center noenhanced font ',15'
  set arrow 1 from screen 0.03233, screen 0.11628 to screen 0.08349, screen 0.11628 nohead lc rgb '#777777' dt 1 lw 2
  set label 100 '' at screen 0.05791, screen 0.11628 point lc rgb '#777777' pt 7 ps 0.8
  set label 200 'RoPE, RFS' at screen 0.09279, screen 0.11628 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.35186, screen 0.11628 to screen 0.40302, screen 0.11628 nohead lc rgb '#cc79a7' dt (9,5) lw 2
  set label 101 '' at screen 0.37744, screen 0.11628 point lc rgb '#cc79a7' pt 7 ps 0.8
  set label 201 'KERPLE, simple extension' at screen 0.41233, screen 0.11628 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.67140, screen 0.11628 to screen 0.72256, screen 0.11628 nohead lc rgb '#e69f00' dt 1 lw 2
  set label 102 '' at screen 0.69698, screen 0.11628 point lc rgb '#e69f00' pt 7 ps 0.8
  set label 202 'KERPLE, RFS' at screen 0.73186, screen 0.11628 left noenhanced textcolor rgb '#222222'
  set arrow 4 from screen 0.03233, screen 0.07946 to screen 0.08349, screen 0.07946 nohead lc rgb '#000000' dt (9,5) lw 2
  set label 103 '' at screen 0.05791, screen 0.07946 point lc rgb '#000000' pt 7 ps 0.8
  set label 203 'FIRE, simple extension' at screen 0.09279, screen 0.07946 left noenhanced textcolor rgb '#222222'
  set arrow 5 from screen 0.35186, screen 0.07946 to screen 0.40302, screen 0.07946 nohead lc rgb '#8a7a00' dt 1 lw 2
  set label 104 '' at screen 0.37744, screen 0.07946 point lc rgb '#8a7a00' pt 7 ps 0.8
  set label 204 'FIRE, RFS' at screen 0.41233, screen 0.07946 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: trained lengths. Band: 95 % interval. Preset mini, 2000 steps; seeds 1, 2.' at screen 0.5, screen 0.03682 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.09070
  set rmargin at screen 0.97674
  set tmargin at screen 0.86434
  set bmargin at screen 0.22868
  set title 'Copy' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel 'exact match' offset 0.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 10.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'curves_biases.dat' index 0 using 1:3:4 with filledcurves fc rgb '#777777' fs transparent solid 0.15 noborder notitle, \
    'curves_biases.dat' index 1 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'curves_biases.dat' index 2 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'curves_biases.dat' index 3 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'curves_biases.dat' index 4 using 1:3:4 with filledcurves fc rgb '#8a7a00' fs transparent solid 0.15 noborder notitle, \
    'curves_biases.dat' index 0 using 1:2 with linespoints lc rgb '#777777' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_biases.dat' index 1 using 1:2 with linespoints lc rgb '#cc79a7' dt (9,5) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_biases.dat' index 2 using 1:2 with linespoints lc rgb '#e69f00' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_biases.dat' index 3 using 1:2 with linespoints lc rgb '#000000' dt (9,5) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_biases.dat' index 4 using 1:2 with linespoints lc rgb '#8a7a00' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  unset multiplot
  set output
}
