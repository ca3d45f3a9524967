# Ablation: distribution and range of RFS, RoPE on copy. `gnuplot edit_distance.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 860,548 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'edit_distance.svg' }
  if (kind == 2) { set terminal pngcairo size 1720,1096 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'edit_distance.png' }
  if (kind == 3) { set terminal pdfcairo size 8.96in,5.71in font 'DejaVu Sans,9' enhanced; set output 'edit_distance.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set yrange [0:1.02]
  set ytics 0.2
  set format y '%.1f'
  set label 1 'Ablation: distribution and range of RFS, RoPE on copy' at screen 0.5, screen 0.96350 center noenhanced font ',15'
  set arrow 1 from screen 0.02512, screen 0.16788 to screen 0.07628, screen 0.16788 nohead lc rgb '#0062a0' dt 1 lw 2
  set label 100 '' at screen 0.05070, screen 0.16788 point lc rgb '#0062a0' pt 7 ps 0.8
  set label 200 'RoPE, RFS' at screen 0.08558, screen 0.16788 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.26837, screen 0.16788 to screen 0.31953, screen 0.16788 nohead lc rgb '#e69f00' dt (9,5) lw 2
  set label 101 '' at screen 0.29395, screen 0.16788 point lc rgb '#e69f00' pt 4 ps 0.8
  set label 201 'N(0.5, 0.2)' at screen 0.32884, screen 0.16788 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.51163, screen 0.16788 to screen 0.56279, screen 0.16788 nohead lc rgb '#cc79a7' dt (12,4,2,4) lw 2
  set label 102 '' at screen 0.53721, screen 0.16788 point lc rgb '#cc79a7' pt 12 ps 0.8
  set label 202 'B(0.5, 0.5)' at screen 0.57209, screen 0.16788 left noenhanced textcolor rgb '#222222'
  set arrow 4 from screen 0.75488, screen 0.16788 to screen 0.80605, screen 0.16788 nohead lc rgb '#c04a00' dt (5,3) lw 2
  set label 103 '' at screen 0.78047, screen 0.16788 point lc rgb '#c04a00' pt 5 ps 0.8
  set label 203 'N(0.5, 0.2), cdf' at screen 0.81535, screen 0.16788 left noenhanced textcolor rgb '#222222'
  set arrow 5 from screen 0.02512, screen 0.13321 to screen 0.07628, screen 0.13321 nohead lc rgb '#7d3c98' dt (2,4) lw 2
  set label 104 '' at screen 0.05070, screen 0.13321 point lc rgb '#7d3c98' pt 13 ps 0.8
  set label 204 'B(0.5, 0.5), cdf' at screen 0.08558, screen 0.13321 left noenhanced textcolor rgb '#222222'
  set arrow 6 from screen 0.26837, screen 0.13321 to screen 0.31953, screen 0.13321 nohead lc rgb '#009e73' dt (9,5) lw 2
  set label 105 '' at screen 0.29395, screen 0.13321 point lc rgb '#009e73' pt 9 ps 0.8
  set label 205 'L = 10' at screen 0.32884, screen 0.13321 left noenhanced textcolor rgb '#222222'
  set arrow 7 from screen 0.51163, screen 0.13321 to screen 0.56279, screen 0.13321 nohead lc rgb '#7a7a7a' dt (5,3) lw 2
  set label 106 '' at screen 0.53721, screen 0.13321 point lc rgb '#7a7a7a' pt 11 ps 0.8
  set label 206 'L = 100,000' at screen 0.57209, screen 0.13321 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: trained lengths. Mean of seeds 146317, 234054, 256788; band: lowest to highest seed; 100 samples per length' at screen 0.5, screen 0.09307 center noenhanced textcolor rgb '#555555' font ',10'
  set label 11 'and seed.' at screen 0.5, screen 0.06387 center noenhanced textcolor rgb '#555555' font ',10'
  set label 12 "The paper\047s sizes, 40000 steps. Missing: seeds of 6 lines." at screen 0.5, screen 0.03467 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.09070
  set rmargin at screen 0.97674
  set tmargin at screen 0.91241
  set bmargin at screen 0.27372
  set title '' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel 'edit distance' offset 0.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 20.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'edit_distance.dat' index 0 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 1 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 2 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 3 using 1:3:4 with filledcurves fc rgb '#c04a00' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 4 using 1:3:4 with filledcurves fc rgb '#7d3c98' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 5 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 6 using 1:3:4 with filledcurves fc rgb '#7a7a7a' fs transparent solid 0.15 noborder notitle, \
    'edit_distance.dat' index 0 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 1 using 1:2 with linespoints lc rgb '#e69f00' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 2 using 1:2 with linespoints lc rgb '#cc79a7' dt (12,4,2,4) lw 2 pt 12 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 3 using 1:2 with linespoints lc rgb '#c04a00' dt (5,3) lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 4 using 1:2 with linespoints lc rgb '#7d3c98' dt (2,4) lw 2 pt 13 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 5 using 1:2 with linespoints lc rgb '#009e73' dt (9,5) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'edit_distance.dat' index 6 using 1:2 with linespoints lc rgb '#7a7a7a' dt (5,3) lw 2 pt 11 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  unset multiplot
  set output
}
