# The arena: NAPE. `gnuplot curves_nape.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 960,405 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'curves_nape.svg' }
  if (kind == 2) { set terminal pngcairo size 1920,810 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'curves_nape.png' }
  if (kind == 3) { set terminal pdfcairo size 10.00in,4.22in font 'DejaVu Sans,9' enhanced; set output 'curves_nape.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set yrange [0:1.02]
  set ytics 0.2
  set format y '%.1f'
  set label 1 'The arena: NAPE' at screen 0.5, screen 0.95062 center noenhanced font ',15'
  set arrow 1 from screen 0.18146, screen 0.19506 to screen 0.22729, screen 0.19506 nohead lc rgb '#777777' dt 1 lw 2
  set label 100 '' at screen 0.20438, screen 0.19506 point lc rgb '#777777' pt 7 ps 0.8
  set label 200 'RoPE, RFS' at screen 0.23563, screen 0.19506 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.51042, screen 0.19506 to screen 0.55625, screen 0.19506 nohead lc rgb '#d55e00' dt (9,5) lw 2
  set label 101 '' at screen 0.53333, screen 0.19506 point lc rgb '#d55e00' pt 7 ps 0.8
  set label 201 'NAPE, simple extension' at screen 0.56458, screen 0.19506 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.18146, screen 0.14815 to screen 0.22729, screen 0.14815 nohead lc rgb '#0072b2' dt (9,5) lw 2
  set label 102 '' at screen 0.20438, screen 0.14815 point lc rgb '#0072b2' pt 5 ps 0.8
  set label 202 'NAPE, simple extension, SSMax' at screen 0.23563, screen 0.14815 left noenhanced textcolor rgb '#222222'
  set arrow 4 from screen 0.51042, screen 0.14815 to screen 0.55625, screen 0.14815 nohead lc rgb '#cc79a7' dt 1 lw 2
  set label 103 '' at screen 0.53333, screen 0.14815 point lc rgb '#cc79a7' pt 7 ps 0.8
  set label 203 'NAPE, RFS' at screen 0.56458, screen 0.14815 left noenhanced textcolor rgb '#222222'
  set arrow 5 from screen 0.18146, screen 0.10123 to screen 0.22729, screen 0.10123 nohead lc rgb '#e69f00' dt 1 lw 2
  set label 104 '' at screen 0.20438, screen 0.10123 point lc rgb '#e69f00' pt 5 ps 0.8
  set label 204 'NAPE, RFS, SSMax' at screen 0.23563, screen 0.10123 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: trained lengths. Band: 95 % interval. Preset small, 8000 steps; seed 1.' at screen 0.5, screen 0.04691 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.06458
  set rmargin at screen 0.47917
  set tmargin at screen 0.82716
  set bmargin at screen 0.33827
  set title 'Copy' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel 'exact match' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 20.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'curves_nape.dat' index 0 using 1:3:4 with filledcurves fc rgb '#777777' fs transparent solid 0.15 noborder notitle, \
    'curves_nape.dat' index 1 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.15 noborder notitle, \
    'curves_nape.dat' index 2 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'curves_nape.dat' index 3 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'curves_nape.dat' index 4 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'curves_nape.dat' index 0 using 1:2 with linespoints lc rgb '#777777' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_nape.dat' index 1 using 1:2 with linespoints lc rgb '#d55e00' dt (9,5) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_nape.dat' index 2 using 1:2 with linespoints lc rgb '#0072b2' dt (9,5) lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'curves_nape.dat' index 3 using 1:2 with linespoints lc rgb '#cc79a7' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_nape.dat' index 4 using 1:2 with linespoints lc rgb '#e69f00' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  set lmargin at screen 0.55208
  set rmargin at screen 0.97917
  set tmargin at screen 0.82716
  set bmargin at screen 0.33827
  set title 'Reverse' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 20.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'curves_nape.dat' index 5 using 1:3:4 with filledcurves fc rgb '#777777' fs transparent solid 0.15 noborder notitle, \
    'curves_nape.dat' index 5 using 1:2 with linespoints lc rgb '#777777' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle
  unset multiplot
  set output
}
