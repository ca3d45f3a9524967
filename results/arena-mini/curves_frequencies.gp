# The arena: Frequencies. `gnuplot curves_frequencies.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 1020,386 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'curves_frequencies.svg' }
  if (kind == 2) { set terminal pngcairo size 2040,772 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'curves_frequencies.png' }
  if (kind == 3) { set terminal pdfcairo size 10.62in,4.02in font 'DejaVu Sans,9' enhanced; set output 'curves_frequencies.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set yrange [0:1.02]
  set ytics 0.2
  set format y '%.1f'
  set label 1 'The arena: Frequencies' at screen 0.5, screen 0.94819 center noenhanced font ',15'
  set arrow 1 from screen 0.04539, screen 0.15544 to screen 0.08853, screen 0.15544 nohead lc rgb '#777777' dt 1 lw 2
  set label 100 '' at screen 0.06696, screen 0.15544 point lc rgb '#777777' pt 7 ps 0.8
  set label 200 'RoPE, RFS' at screen 0.09637, screen 0.15544 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.35500, screen 0.15544 to screen 0.39814, screen 0.15544 nohead lc rgb '#56b4e9' dt (9,5) lw 2
  set label 101 '' at screen 0.37657, screen 0.15544 point lc rgb '#56b4e9' pt 6 ps 0.8
  set label 201 'RoPE, simple extension' at screen 0.40598, screen 0.15544 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.66461, screen 0.15544 to screen 0.70775, screen 0.15544 nohead lc rgb '#0072b2' dt (5,3) lw 2
  set label 102 '' at screen 0.68618, screen 0.15544 point lc rgb '#0072b2' pt 7 ps 0.8
  set label 202 'RoPE, NTK in the test' at screen 0.71559, screen 0.15544 left noenhanced textcolor rgb '#222222'
  set arrow 4 from screen 0.04539, screen 0.10622 to screen 0.08853, screen 0.10622 nohead lc rgb '#009e73' dt (2,4) lw 2
  set label 103 '' at screen 0.06696, screen 0.10622 point lc rgb '#009e73' pt 7 ps 0.8
  set label 203 'RoPE, dynamic NTK in the test' at screen 0.09637, screen 0.10622 left noenhanced textcolor rgb '#222222'
  set arrow 5 from screen 0.35500, screen 0.10622 to screen 0.39814, screen 0.10622 nohead lc rgb '#cc79a7' dt (12,4,2,4) lw 2
  set label 104 '' at screen 0.37657, screen 0.10622 point lc rgb '#cc79a7' pt 7 ps 0.8
  set label 204 'RoPE, YaRN in the test' at screen 0.40598, screen 0.10622 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: trained lengths. Band: 95 % interval. Preset mini, 2000 steps; seeds 1, 2.' at screen 0.5, screen 0.04922 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.06078
  set rmargin at screen 0.31373
  set tmargin at screen 0.81865
  set bmargin at screen 0.30570
  set title 'Copy' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel 'exact match' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 10.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'curves_frequencies.dat' index 0 using 1:3:4 with filledcurves fc rgb '#777777' fs transparent solid 0.15 noborder notitle, \
    'curves_frequencies.dat' index 1 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'curves_frequencies.dat' index 2 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'curves_frequencies.dat' index 3 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'curves_frequencies.dat' index 4 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'curves_frequencies.dat' index 0 using 1:2 with linespoints lc rgb '#777777' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_frequencies.dat' index 1 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'curves_frequencies.dat' index 2 using 1:2 with linespoints lc rgb '#0072b2' dt (5,3) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_frequencies.dat' index 3 using 1:2 with linespoints lc rgb '#009e73' dt (2,4) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_frequencies.dat' index 4 using 1:2 with linespoints lc rgb '#cc79a7' dt (12,4,2,4) lw 2 pt 7 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  set lmargin at screen 0.38235
  set rmargin at screen 0.64706
  set tmargin at screen 0.81865
  set bmargin at screen 0.30570
  set title 'Reverse' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 10.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'curves_frequencies.dat' index 5 using 1:3:4 with filledcurves fc rgb '#777777' fs transparent solid 0.15 noborder notitle, \
    'curves_frequencies.dat' index 6 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'curves_frequencies.dat' index 7 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'curves_frequencies.dat' index 8 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'curves_frequencies.dat' index 9 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'curves_frequencies.dat' index 5 using 1:2 with linespoints lc rgb '#777777' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_frequencies.dat' index 6 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'curves_frequencies.dat' index 7 using 1:2 with linespoints lc rgb '#0072b2' dt (5,3) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_frequencies.dat' index 8 using 1:2 with linespoints lc rgb '#009e73' dt (2,4) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_frequencies.dat' index 9 using 1:2 with linespoints lc rgb '#cc79a7' dt (12,4,2,4) lw 2 pt 7 ps 0.8 pi 1 notitle
  set lmargin at screen 0.71569
  set rmargin at screen 0.98039
  set tmargin at screen 0.81865
  set bmargin at screen 0.30570
  set title 'Addition' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 0.5, graph 0 to first 4.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'curves_frequencies.dat' index 10 using 1:3:4 with filledcurves fc rgb '#777777' fs transparent solid 0.15 noborder notitle, \
    'curves_frequencies.dat' index 11 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'curves_frequencies.dat' index 12 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.15 noborder notitle, \
    'curves_frequencies.dat' index 13 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'curves_frequencies.dat' index 14 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'curves_frequencies.dat' index 10 using 1:2 with linespoints lc rgb '#777777' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_frequencies.dat' index 11 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'curves_frequencies.dat' index 12 using 1:2 with linespoints lc rgb '#0072b2' dt (5,3) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_frequencies.dat' index 13 using 1:2 with linespoints lc rgb '#009e73' dt (2,4) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'curves_frequencies.dat' index 14 using 1:2 with linespoints lc rgb '#cc79a7' dt (12,4,2,4) lw 2 pt 7 ps 0.8 pi 1 notitle
  unset multiplot
  set output
}
