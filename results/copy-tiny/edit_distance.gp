# Copy: simple extension, RFS and no position encoding. `gnuplot edit_distance.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 860,551 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'edit_distance.svg' }
  if (kind == 2) { set terminal pngcairo size 1720,1102 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'edit_distance.png' }
  if (kind == 3) { set terminal pdfcairo size 8.96in,5.74in font 'DejaVu Sans,9' enhanced; set output 'edit_distance.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set yrange [0:1.02]
  set ytics 0.2
  set format y '%.1f'
  set label 1 'Copy: simple extension, RFS and no position encoding' at screen 0.5, screen 0.96370 center noenhanced font ',15'
  set arrow 1 from screen 0.15395, screen 0.17241 to screen 0.20512, screen 0.17241 nohead lc rgb '#e69f00' dt (9,5) lw 2
  set label 100 '' at screen 0.17953, screen 0.17241 point lc rgb '#e69f00' pt 4 ps 0.8
  set label 200 'Sinusoidal, simple extension' at screen 0.21442, screen 0.17241 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.51163, screen 0.17241 to screen 0.56279, screen 0.17241 nohead lc rgb '#c04a00' dt 1 lw 2
  set label 101 '' at screen 0.53721, screen 0.17241 point lc rgb '#c04a00' pt 5 ps 0.8
  set label 201 'Sinusoidal, RFS' at screen 0.57209, screen 0.17241 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.15395, screen 0.13793 to screen 0.20512, screen 0.13793 nohead lc rgb '#56b4e9' dt (9,5) lw 2
  set label 102 '' at screen 0.17953, screen 0.13793 point lc rgb '#56b4e9' pt 6 ps 0.8
  set label 202 'RoPE, simple extension' at screen 0.21442, screen 0.13793 left noenhanced textcolor rgb '#222222'
  set arrow 4 from screen 0.51163, screen 0.13793 to screen 0.56279, screen 0.13793 nohead lc rgb '#0062a0' dt 1 lw 2
  set label 103 '' at screen 0.53721, screen 0.13793 point lc rgb '#0062a0' pt 7 ps 0.8
  set label 203 'RoPE, RFS' at screen 0.57209, screen 0.13793 left noenhanced textcolor rgb '#222222'
  set arrow 5 from screen 0.15395, screen 0.10345 to screen 0.20512, screen 0.10345 nohead lc rgb '#000000' dt (12,4,2,4) lw 2
  set label 104 '' at screen 0.17953, screen 0.10345 point lc rgb '#000000' pt 2 ps 0.8
  set label 204 'NoPE' at screen 0.21442, screen 0.10345 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: trained lengths. Seed 1; one seed; 50 samples per length and seed.' at screen 0.5, screen 0.06352 center noenhanced textcolor rgb '#555555' font ',10'
  set label 11 'Preset tiny, 2000 steps.' at screen 0.5, screen 0.03448 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.09070
  set rmargin at screen 0.97674
  set tmargin at screen 0.91289
  set bmargin at screen 0.27768
  set title '' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel 'edit distance' offset 0.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 10.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'edit_distance.dat' index 0 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 1 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 2 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 3 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 4 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 0 using 1:2 with linespoints lc rgb '#e69f00' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 1 using 1:2 with linespoints lc rgb '#c04a00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 2 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 3 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 4 using 1:2 with linespoints lc rgb '#000000' dt (12,4,2,4) lw 2 pt 2 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  unset multiplot
  set output
}
