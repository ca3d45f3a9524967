# RFS's range L and RoPE's base, on copy. `gnuplot token_accuracy.gp` in this folder draws it again.
set encoding utf8
do for [kind = 1:3] {
  reset
  if (kind == 1) { set terminal svg size 1020,459 font 'DejaVu Sans,12' background rgb 'white' enhanced; set output 'token_accuracy.svg' }
  if (kind == 2) { set terminal pngcairo size 2040,918 font 'DejaVu Sans,12' fontscale 2 linewidth 2 pointscale 2 enhanced; set output 'token_accuracy.png' }
  if (kind == 3) { set terminal pdfcairo size 10.62in,4.78in font 'DejaVu Sans,9' enhanced; set output 'token_accuracy.pdf' }
  set border 3 lc rgb '#666666'
  set tics nomirror textcolor rgb '#333333'
  set grid ytics lt 1 lc rgb '#d8d8d8'
  unset key
  set multiplot
  set yrange [0:1.02]
  set ytics 0.2
  set format y '%.1f'
  set label 1 "RFS\047s range L and RoPE\047s base, on copy" at screen 0.5, screen 0.95643 center noenhanced font ',15'
  set arrow 1 from screen 0.06951, screen 0.28976 to screen 0.11265, screen 0.28976 nohead lc rgb '#009e73' dt (2,4) lw 2
  set label 100 '' at screen 0.09108, screen 0.28976 point lc rgb '#009e73' pt 4 ps 0.8
  set label 200 'base 100, L = 10' at screen 0.12049, screen 0.28976 left noenhanced textcolor rgb '#222222'
  set arrow 2 from screen 0.36304, screen 0.28976 to screen 0.40618, screen 0.28976 nohead lc rgb '#cc79a7' dt (2,4) lw 2
  set label 101 '' at screen 0.38461, screen 0.28976 point lc rgb '#cc79a7' pt 5 ps 0.8
  set label 201 'base 100, L = 100' at screen 0.41402, screen 0.28976 left noenhanced textcolor rgb '#222222'
  set arrow 3 from screen 0.65657, screen 0.28976 to screen 0.69971, screen 0.28976 nohead lc rgb '#e69f00' dt (2,4) lw 2
  set label 102 '' at screen 0.67814, screen 0.28976 point lc rgb '#e69f00' pt 6 ps 0.8
  set label 202 'base 100, L = 1,000' at screen 0.70755, screen 0.28976 left noenhanced textcolor rgb '#222222'
  set arrow 4 from screen 0.06951, screen 0.24837 to screen 0.11265, screen 0.24837 nohead lc rgb '#56b4e9' dt (2,4) lw 2
  set label 103 '' at screen 0.09108, screen 0.24837 point lc rgb '#56b4e9' pt 7 ps 0.8
  set label 203 'base 100, L = 10,000' at screen 0.12049, screen 0.24837 left noenhanced textcolor rgb '#222222'
  set arrow 5 from screen 0.36304, screen 0.24837 to screen 0.40618, screen 0.24837 nohead lc rgb '#000000' dt (2,4) lw 2
  set label 104 '' at screen 0.38461, screen 0.24837 point lc rgb '#000000' pt 8 ps 0.8
  set label 204 'base 100, L = 100,000' at screen 0.41402, screen 0.24837 left noenhanced textcolor rgb '#222222'
  set arrow 6 from screen 0.65657, screen 0.24837 to screen 0.69971, screen 0.24837 nohead lc rgb '#009e73' dt (9,5) lw 2
  set label 105 '' at screen 0.67814, screen 0.24837 point lc rgb '#009e73' pt 9 ps 0.8
  set label 205 'L = 10' at screen 0.70755, screen 0.24837 left noenhanced textcolor rgb '#222222'
  set arrow 7 from screen 0.06951, screen 0.20697 to screen 0.11265, screen 0.20697 nohead lc rgb '#cc79a7' dt 1 lw 2
  set label 106 '' at screen 0.09108, screen 0.20697 point lc rgb '#cc79a7' pt 5 ps 0.8
  set label 206 'base 10,000, L = 100' at screen 0.12049, screen 0.20697 left noenhanced textcolor rgb '#222222'
  set arrow 8 from screen 0.36304, screen 0.20697 to screen 0.40618, screen 0.20697 nohead lc rgb '#0062a0' dt 1 lw 2
  set label 107 '' at screen 0.38461, screen 0.20697 point lc rgb '#0062a0' pt 7 ps 0.8
  set label 207 'RoPE, RFS' at screen 0.41402, screen 0.20697 left noenhanced textcolor rgb '#222222'
  set arrow 9 from screen 0.65657, screen 0.20697 to screen 0.69971, screen 0.20697 nohead lc rgb '#56b4e9' dt 1 lw 2
  set label 108 '' at screen 0.67814, screen 0.20697 point lc rgb '#56b4e9' pt 7 ps 0.8
  set label 208 'base 10,000, L = 10,000' at screen 0.70755, screen 0.20697 left noenhanced textcolor rgb '#222222'
  set arrow 10 from screen 0.06951, screen 0.16558 to screen 0.11265, screen 0.16558 nohead lc rgb '#7a7a7a' dt (5,3) lw 2
  set label 109 '' at screen 0.09108, screen 0.16558 point lc rgb '#7a7a7a' pt 11 ps 0.8
  set label 209 'L = 100,000' at screen 0.12049, screen 0.16558 left noenhanced textcolor rgb '#222222'
  set arrow 11 from screen 0.36304, screen 0.16558 to screen 0.40618, screen 0.16558 nohead lc rgb '#009e73' dt (9,5) lw 2
  set label 110 '' at screen 0.38461, screen 0.16558 point lc rgb '#009e73' pt 4 ps 0.8
  set label 210 'base 1,000,000, L = 10' at screen 0.41402, screen 0.16558 left noenhanced textcolor rgb '#222222'
  set arrow 12 from screen 0.65657, screen 0.16558 to screen 0.69971, screen 0.16558 nohead lc rgb '#cc79a7' dt (9,5) lw 2
  set label 111 '' at screen 0.67814, screen 0.16558 point lc rgb '#cc79a7' pt 5 ps 0.8
  set label 211 'base 1,000,000, L = 100' at screen 0.70755, screen 0.16558 left noenhanced textcolor rgb '#222222'
  set arrow 13 from screen 0.06951, screen 0.12418 to screen 0.11265, screen 0.12418 nohead lc rgb '#e69f00' dt (9,5) lw 2
  set label 112 '' at screen 0.09108, screen 0.12418 point lc rgb '#e69f00' pt 6 ps 0.8
  set label 212 'base 1,000,000, L = 1,000' at screen 0.12049, screen 0.12418 left noenhanced textcolor rgb '#222222'
  set arrow 14 from screen 0.36304, screen 0.12418 to screen 0.40618, screen 0.12418 nohead lc rgb '#56b4e9' dt (9,5) lw 2
  set label 113 '' at screen 0.38461, screen 0.12418 point lc rgb '#56b4e9' pt 7 ps 0.8
  set label 213 'base 1,000,000, L = 10,000' at screen 0.41402, screen 0.12418 left noenhanced textcolor rgb '#222222'
  set arrow 15 from screen 0.65657, screen 0.12418 to screen 0.69971, screen 0.12418 nohead lc rgb '#000000' dt (9,5) lw 2
  set label 114 '' at screen 0.67814, screen 0.12418 point lc rgb '#000000' pt 8 ps 0.8
  set label 214 'base 1,000,000, L = 100,000' at screen 0.70755, screen 0.12418 left noenhanced textcolor rgb '#222222'
  set label 10 'Shaded: trained lengths. Seed 1; one seed; 50 samples per length and seed.' at screen 0.5, screen 0.07625 center noenhanced textcolor rgb '#555555' font ',10'
  set label 11 'Preset tiny, 2000 steps.' at screen 0.5, screen 0.04139 center noenhanced textcolor rgb '#555555' font ',10'
  set lmargin at screen 0.06078
  set rmargin at screen 0.31373
  set tmargin at screen 0.84749
  set bmargin at screen 0.41612
  set title 'Copy, Base 100' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel 'token accuracy' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 10.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 0 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 1 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 2 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 3 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 4 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 0 using 1:2 with linespoints lc rgb '#009e73' dt (2,4) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 1 using 1:2 with linespoints lc rgb '#cc79a7' dt (2,4) lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 2 using 1:2 with linespoints lc rgb '#e69f00' dt (2,4) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 3 using 1:2 with linespoints lc rgb '#56b4e9' dt (2,4) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 4 using 1:2 with linespoints lc rgb '#000000' dt (2,4) lw 2 pt 8 ps 0.8 pi 1 notitle
  unset label
  unset arrow
  set lmargin at screen 0.38235
  set rmargin at screen 0.64706
  set tmargin at screen 0.84749
  set bmargin at screen 0.41612
  set title 'Copy, Base 10,000' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 10.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 5 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 6 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 7 using 1:3:4 with filledcurves fc rgb '#0062a0' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 8 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 9 using 1:3:4 with filledcurves fc rgb '#7a7a7a' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 5 using 1:2 with linespoints lc rgb '#009e73' dt (9,5) lw 2 pt 9 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 6 using 1:2 with linespoints lc rgb '#cc79a7' dt 1 lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 7 using 1:2 with linespoints lc rgb '#0062a0' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 8 using 1:2 with linespoints lc rgb '#56b4e9' dt 1 lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 9 using 1:2 with linespoints lc rgb '#7a7a7a' dt (5,3) lw 2 pt 11 ps 0.8 pi 1 notitle
  set lmargin at screen 0.71569
  set rmargin at screen 0.98039
  set tmargin at screen 0.84749
  set bmargin at screen 0.41612
  set title 'Copy, Base 1,000,000' offset 0,-0.6 textcolor rgb '#222222' noenhanced
  set xlabel 'length' offset 0,0.6 noenhanced
  set ylabel '' offset 1.2,0 noenhanced
  unset object 1
  set object 1 rectangle from first 1.5, graph 0 to first 10.5, graph 1 behind fc rgb '#ececec' fs solid noborder
  plot \
    'token_accuracy.dat' index 10 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 11 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 12 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 13 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 14 using 1:3:4 with filledcurves fc rgb '#000000' fs transparent solid 0.15 noborder notitle, \
    'token_accuracy.dat' index 10 using 1:2 with linespoints lc rgb '#009e73' dt (9,5) lw 2 pt 4 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 11 using 1:2 with linespoints lc rgb '#cc79a7' dt (9,5) lw 2 pt 5 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 12 using 1:2 with linespoints lc rgb '#e69f00' dt (9,5) lw 2 pt 6 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 13 using 1:2 with linespoints lc rgb '#56b4e9' dt (9,5) lw 2 pt 7 ps 0.8 pi 1 notitle, \
    'token_accuracy.dat' index 14 using 1:2 with linespoints lc rgb '#000000' dt (9,5) lw 2 pt 8 ps 0.8 pi 1 notitle
  unset multiplot
  set output
}
