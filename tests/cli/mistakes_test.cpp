// Mistakes of users, one row each. The program prints one line that starts with `rfs: ` and names the place, exits with
// 2 and writes nothing.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "program.h"
#include "rfs/core/files.h"

namespace rfs {
namespace {

struct Mistake {
  const char* name;
  const char* arguments;
  const char* says;  ///< part of the expected line
};

const std::vector<Mistake> mistakes = {
    {"no_verb", "", "command line: A subcommand is required"},
    {"unknown_verb", "trian a.toml", "unknown verb 'trian' (did you mean 'train'?); known: demo, train"},
    {"no_file", "train", "command line: FILE is required"},
    {"unknown_flag", "train good.toml --sett a=b", "--sett"},
    {"missing_data_file", "train good.toml --set tokenizer.use=t5 --set tokenizer.file=nowhere",
     "tokenizer.file: no file 'nowhere'; set it to the path of t5/spiece.model"},
    {"foreign_data_file", "train good.toml --set tokenizer.use=t5 --set tokenizer.file=good.toml",
     "good.toml: must be a SentencePiece model"},
    {"foreign_merges",
     "train good.toml --set tokenizer.use=gpt2 --set tokenizer.encoder=good.toml --set tokenizer.merges=good.toml",
     "good.toml: must be GPT-2's encoder.json"},
    {"wrong_scan_file", "train good.toml --set task.use=scan --set task.file=broken.toml",
     "broken.toml:1: must be 'IN: command OUT: actions'"},
    {"missing_file", "train nowhere.toml", "nowhere.toml: cannot read this file: No such file"},
    {"folder_as_file", "train folder", "folder: must be a file, got a folder"},
    {"not_toml", "train broken.toml", "broken.toml:2:"},
    {"binary_file", "train binary.toml", "binary.toml:1:"},
    {"key_outside_table", "train loose.toml", "loose.toml:1: steps: must be in a table"},
    {"unknown_table", "train good.toml --set trian.steps=3",
     "unknown table 'trian' (did you mean 'train'?); known: positions"},
    {"unknown_key", "train good.toml --set train.stepps=3",
     "--set train.stepps: unknown key 'train.stepps' (did you mean 'train.steps'?)"},
    {"misspelt_use", "train good.toml --set positions.us=random_float",
     "unknown key 'positions.us' (did you mean 'positions.use'?); known: positions.use"},
    {"use_where_nothing_is_chosen", "train good.toml --set train.use=fast", "unknown key 'train.use'"},
    {"key_of_another_choice", "train good.toml --set encoding.use=alibi --set encoding.base=3",
     "encoding: this choice has no options; remove the key 'base'"},
    {"unknown_positions", "train good.toml --set positions.use=random",
     "unknown positions.use 'random'; known: cape, coupled, interpolated, pose, random_float"},
    {"unknown_encoding", "train good.toml --set encoding.use=rop",
     "(did you mean 'rope'?); known: alibi, dape, fire, kerple, learned, nape, none, rope"},
    {"unknown_task", "train good.toml --set task.use=juggle",
     "unknown task.use 'juggle'; known: addition, binary_multiplication"},
    {"unknown_tokenizer", "train good.toml --set tokenizer.use=letters", "unknown tokenizer.use 'letters'; known: "},
    {"bytes_have_no_words", "train good.toml --set tokenizer.use=bytes",
     "tokenizer bytes: it is for corpora and has no words, but this task needs 5; choose another tokenizer"},
    {"unknown_preset", "train good.toml --set model.preset=huge",
     "model.preset must be one of t5-base, gpt2, gpt2-medium, gpt2-large, gpt2-xl, llama, llama-0.5b, llama-1b, "
     "llama-3b, tiny, got \"huge\""},
    {"pattern_of_no_letters", "train good.toml --set layers.pattern=A1", "layers.pattern: must be letters, got 'A1'"},
    {"pattern_too_long", "train good.toml --set layers.pattern=ABCDEF", "layers.pattern: must be at most as long as"},
    {"letter_not_in_pattern", "train good.toml --set layers.pattern=A --set layers.B.window=3",
     "[layers.B]: layers.pattern 'A' has no such letter"},
    {"layers_unknown_table", "train good.toml --set layers.pattern=A --set layers.A.task.use=copy",
     "unknown table of layers.A 'task'; known: positions, encoding, attention"},
    {"layers_unknown_key", "train good.toml --set layers.pattern=A --set layers.A.windows=3",
     "unknown key 'layers.A.windows' (did you mean 'layers.A.window'?)"},
    {"layers_added_positions",
     "train good.toml --set model.layers=2 --set layers.pattern=AB --set layers.B.encoding.use=sinusoidal",
     "must be the same in all layers, with the same positions; got sinusoidal and"},
    {"kv_heads_no_divisor", "train good.toml --set model.heads=4 --set model.kv_heads=3",
     "model.kv_heads: must divide model.heads, got 3 for 4 heads"},
    {"unknown_eval_device", "train good.toml --set eval.device=gpu",
     "eval.device must be one of auto, cpu, cuda, got \"gpu\""},
    {"wrong_type", "train good.toml --set train.steps=many", "train.steps must be an integer, got \"many\""},
    {"fraction_for_integer", "train good.toml --set train.steps=1.5", "train.steps must be an integer, got 1.5"},
    {"use_is_no_string", "train good.toml --set positions.use=3", "positions.use must be a string, got 3"},
    {"out_of_range", "train good.toml --set positions.range=-1",
     "positions.range must be between 0.001 and 1e+09, got -1"},
    {"infinite", "train good.toml --set train.learning_rate=inf", "train.learning_rate must be above 0, got inf"},
    {"not_a_number", "train good.toml --set train.clip=nan", "train.clip must be above 0, got nan"},
    {"too_deep", "train good.toml --set model.layers=1000000000",
     "model.layers must be between 1 and 1000, got 1000000000"},
    {"too_large", "train good.toml --set model.layers=1000 --set model.width=60000",
     "model: must fit into this machine's"},
    {"too_long", "train good.toml --set task.test_lengths=[5,9223372036854775806]",
     "task.test_lengths must be [first, last]"},
    {"warmup_too_long", "train good.toml --set train.warmup=2", "train.warmup must be below train.steps, got 2 and 2"},
    {"best_of_nothing", "train good.toml --set train.checkpoint=best --set train.validate_every=0",
     "--set train.checkpoint: train.checkpoint=best needs validation; set train.validate_every above 0"},
    {"unknown_checkpoint", "train good.toml --set train.checkpoint=first",
     "train.checkpoint must be one of last, best, got \"first\""},
    {"unknown_device", "train good.toml --set train.device=gpu",
     "train.device must be one of auto, cpu, cuda, got \"gpu\""},
    {"no_cuda", "train good.toml --set train.device=[cpu,cuda]", "train.device: must be auto or cpu"},
    {"narrow_residual_on_the_cpu", "train good.toml --set train.device=cpu --set train.residual=bf16",
     "train.residual: bf16 needs the engine: there is no GPU, or train.device is cpu; set train.residual=float32"},
    {"half_precision_on_the_cpu", "train good.toml --set train.device=cpu --set train.precision=bf16",
     "train.precision: must be fp32 or auto on the CPU, got bf16"},
    {"batch_too_large", "train good.toml --set train.batch=1000000 --set model.feed_width=100000",
     "memory: model and batch need about"},
    {"batch_too_large_in_one_pass", "train good.toml --set train.batch=1000000 --set model.feed_width=1000",
     "; set train.micro_batch="},
    {"recompute_no_bool", "train good.toml --set train.recompute=2", "train.recompute must be a boolean, got 2"},
    {"second_file_missing", "train good.toml nowhere.toml", "nowhere.toml: cannot read this file"},
    {"same_file_twice", "train good.toml good.toml --out x",
     "x/good: two runs would use this folder; give each its own"},
    {"read_only_folder", "train good.toml --out /proc/run", "/proc/run: cannot make this folder"},
    {"too_few_samples", "train good.toml --set task.train_samples=2",
     "task.train_samples: must be at least the number of trained bins, 3,"},
    {"test_rows_too_long", "train good.toml --set positions.use=random_integer --set positions.range=12",
     "positions.range: must be at least"},
    {"wrong_later_point", "train good.toml --set task.test_lengths=[[5,6],[2,9]]",
     "task.test_lengths: must begin above"},
    {"equal_points", "train good.toml --set train.seed=[1,1]", "sweep: its values must differ, got two runs named '1'"},
    {"name_too_long",
     "train good.toml --out "
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
     "File name too long"},
    {"empty_unknown_table", "train table.toml", "table.toml:1: unknown table 'foo'"},
    {"key_with_newline", "train newline.toml", "unknown key 'train.a?b'"},
    {"file_with_newline", "train 'no\nwhere.toml'", "no?where.toml: cannot read this file"},
    {"validation_no_number", "corpus make out good.toml --validation nan --set tokenizer.use=bytes",
     "--validation: must be between 0 and 0.9, got nan"},
    {"tokens_too_many", "generate truncated --prompt a --tokens 99999999999999999999",
     "--tokens: must be a word or a number of at most 18 digits"},
    {"bucket_too_large", "generate truncated --prompt a --bucket 9223372036854775807",
     "--bucket: generate.bucket must be between 1 and"},
    {"data_there_already", "data make good.toml --out folder", "folder: already exists; choose another name"},
    {"import_there_already", "data import good.toml --out folder --train-up-to 1",
     "folder: already exists; choose another name"},
    {"bad_interval", "train good.toml --set task.train_lengths=[5,2]", "task.train_lengths must be [first, last]"},
    {"overlapping_lengths", "train good.toml --set task.test_lengths=[2,9]",
     "task.test_lengths: must begin above the longest trained length 4"},
    {"test_step_zero", "train good.toml --set task.test_step=0", "task.test_step must be between 1 and 1000000, got 0"},
    {"mqar_few_words", "train good.toml --set task.use=mqar",
     "task.words: must be at least 2 for each of the 6 pairs, got 5"},
    {"mqmtar_small_alphabet", "train good.toml --set task.use=mqmtar",
     "task.dictionary: must be at most the 25 words that the alphabet allows, got 10000"},
    {"needle_short", "train good.toml --set task.use=needle", "task.train_lengths: must begin at 11 or above, got 2"},
    {"no_groups", "train good.toml --set positions.use=coupled",
     "positions.use: coupled needs a task whose digits have a significance, such as long_addition; got copy"},
    {"groups_of_bytes", "train addition.toml --set tokenizer.use=bytes",
     "positions.use=coupled needs one id per word of the task long_addition, but bytes splits or changes its words"},
    {"too_many_positions", "train good.toml --set positions.use=random_integer --set positions.range=5",
     "positions.range: must be at least"},
    {"bad_assignment", "train good.toml --set steps=3", "--set: must be table.key=value, got 'steps=3'"},
    {"empty_sweep", "train good.toml --set train.seed=[]", "train.seed must sweep over at least one value"},
    {"mistake_in_a_sweep", "train good.toml --set train.seed=[1,-2]", "train.seed must be at least 0, got -2"},
    {"unwritable_folder", "train good.toml --out /dev/null/run",
     "/dev/null/run: cannot make this folder: Not a directory"},
    {"out_is_a_file", "train good.toml --out good.toml", "good.toml"},
    {"empty_file", "train ''", "command line: FILE: must not be empty, got ''"},
    {"empty_folder_name", "train good.toml --out ''", "command line: --out: must not be empty, got ''"},
    {"run_in_a_run", "train good.toml --out truncated/x",
     "truncated/x: is inside the folder of a run; choose another folder"},
    {"data_in_a_run", "data make good.toml --out truncated",
     "truncated: is the folder of a run; choose another folder"},
    {"show_named_pipe", "show pipe", "pipe: must be a file, got a named pipe"},
    {"train_named_pipe", "train pipe", "pipe: must be a file, got a named pipe"},
    {"show_device", "show /dev/zero", "/dev/zero: must be a file, got a device"},
    {"import_named_pipe", "import x pipes", "pipes/config.json: must be a file, got a named pipe"},
    {"data_import_named_pipe", "data import pipe --out x --train-up-to 1", "pipe: must be a file, got a named pipe"},
    {"corpus_named_pipe", "corpus make x pipe --set tokenizer.use=ids", "pipe: no such file or folder"},
    {"train_into_other_files", "train good.toml --out folder",
     "folder: holds 'something.txt' and is not a run; choose a new or empty folder"},
    {"train_into_the_current_folder", "train good.toml --out .", ".: holds '"},
    {"train_into_the_folder_above", "train good.toml --out ..", "..: holds '"},
    {"train_into_the_root", "train good.toml --out /", "/: holds '"},
    {"sweep_into_other_files", "train good.toml --set train.seed=[1,2] --out folder",
     "folder: holds 'something.txt' and no runs; choose a new or empty folder"},
    {"files_into_other_files", "train good.toml table.toml --out folder",
     "folder: holds 'something.txt' and no runs; choose a new or empty folder"},
    {"point_into_other_files", "train good.toml --set train.seed=[1,3] --out points",
     "points/1: holds 'notes.txt' and is not a run; choose a new or empty folder"},
    {"together_into_other_files", "train good.toml --together --set train.seed=[1,3] --out points",
     "points/1: holds 'notes.txt' and is not a run; choose a new or empty folder"},
    {"demo_into_other_files", "demo --out folder", "folder: holds 'something.txt' and no runs"},
    {"reproduce_into_other_files", "reproduce copy --preset tiny --steps 1 --out folder",
     "folder: holds 'something.txt' and no runs of rfs reproduce"},
    {"reproduce_singular_into_other_files", "reproduce singular --out folder",
     "folder: holds 'something.txt' and no runs of rfs reproduce"},
    {"records_into_other_files", "reproduce copy --preset tiny --steps 1 --out x --records folder",
     "folder: holds 'something.txt' and no runs of rfs reproduce"},
    {"report_into_other_files", "report untrained --out folder",
     "folder: holds 'something.txt' and no report; choose a new or empty folder"},
    {"scores_into_other_files", "report untrained --scores --out folder",
     "folder: holds 'something.txt' and no report; choose a new or empty folder"},
    {"stats_into_other_files", "data stats good.toml --out folder",
     "folder: holds 'something.txt' and no report; choose a new or empty folder"},
    {"data_into_the_current_folder", "data make good.toml --out .", ".: already exists"},
    {"negative_steps", "reproduce copy --steps -3", "command line: --steps: Value -3 not in range"},
    {"eval_nowhere", "eval nowhere", "nowhere: no such run folder"},
    {"eval_no_run", "eval folder", "folder: no runs found here"},
    {"eval_untrained", "eval untrained", "untrained: this run is not trained yet; train it before it is evaluated"},
    {"eval_truncated_model", "eval truncated", "truncated/model.safetensors: must be a whole safetensors file"},
    {"eval_foreign_model", "eval foreign", "foreign/model.safetensors: must be a whole safetensors file"},
    {"eval_of_something_else", "eval untrained --set model.layers=3", "train it before"},
    {"score_no_benchmark", "score untrained", "command line: --benchmarks is required"},
    {"score_nowhere", "score nowhere --benchmarks boolq", "nowhere: no such run folder"},
    {"score_unknown_benchmark", "score untrained --benchmarks bolq",
     "--benchmarks: unknown benchmark 'bolq' (did you mean 'boolq'?); known: arc_challenge, arc_easy"},
    {"score_benchmark_twice", "score untrained --benchmarks boolq,boolq",
     "--benchmarks: each must be named once, got 'boolq' again"},
    {"score_missing_file", "score untrained --benchmarks boolq --data folder",
     "folder: found no boolq.val.jsonl or BoolQ_superglue_val.jsonl"},
    {"score_missing_folder", "score untrained --benchmarks ' boolq, arc_easy' --data nowhere",
     "nowhere: no such folder; set the folder of the benchmark files with --data"},
    {"score_no_such_file", "score untrained --benchmarks boolq --set boolq.file=nowhere",
     "boolq.file: no file 'nowhere'; set it to the path of BoolQ's file"},
    {"score_not_utf8", "score untrained --benchmarks boolq --set boolq.file=binary.toml",
     "binary.toml:1: must be UTF-8, got byte 0xff at column 2"},
    {"score_not_json", "score untrained --benchmarks boolq --set boolq.file=good.toml",
     "good.toml:1: not a JSON object"},
    {"score_no_choices", "score untrained --benchmarks arc_easy --set arc_easy.file=choices.jsonl",
     "choices.jsonl:1: the list of choices must have two or more, got none"},
    {"score_label_out_of_range", "score untrained --benchmarks boolq --set boolq.file=label.jsonl",
     "label.jsonl:2: gold must be one of 0, 1, false, true, got \"2\""},
    {"score_unknown_key", "score untrained --benchmarks boolq --set boolq.size=3", "unknown key 'boolq.size'"},
    {"score_unknown_table", "score untrained --benchmarks boolq --set train.steps=3",
     "--set train.steps: unknown table 'train'; known: eval, positions, score, boolq"},
    {"score_no_rows", "score untrained --benchmarks boolq --set score.batch=0",
     "score.batch must be at least 1, got 0"},
    {"score_untrained", "score untrained --benchmarks boolq --set boolq.file=boolq.jsonl",
     "untrained: this run is not trained yet; train it before it is scored"},
    {"report_published", "report untrained --published", "--published requires --scores"},
    {"report_unscored", "report untrained --scores", "untrained: no scored runs found here"},
    {"report_nowhere", "report nowhere", "nowhere: no such run folder"},
    {"report_unevaluated", "report untrained", "untrained: this run is not evaluated yet; run: rfs eval"},
    {"report_no_such_name", "report untrained --eval a/b", "name of an evaluation: must consist of letters, digits"},
    {"report_no_such_evaluation", "report damaged --eval current",
     "damaged: no evaluation 'current' (it has: the main one (without --eval))"},
    {"report_damaged_record", "report damaged", "damaged/eval.json: not a record written by rfs"},
    {"data_no_verb", "data", "command line: A subcommand is required"},
    {"data_not_lines", "data import good.toml --out x --train-up-to 3",
     "good.toml:1: not of the form {\"prompt\": text"},
    {"data_negative_length", "data import negative.jsonl --out x --train-up-to 3",
     "negative.jsonl:1: length must be an integer from 1 to 1099511627776, got -1"},
    {"data_blank_answer", "data import blank.jsonl --out x --train-up-to 3",
     "blank.jsonl:1: answer must contain text, got \" \""},
    {"data_long_word", "data stats good.toml --set task.use=file --set task.folder=long --set tokenizer.use=ids",
     "xxx...'; for other texts"},
    {"data_of_a_sweep", "data stats good.toml --set task.seed=[1,2]",
     "good.toml: a sweep over [task] or [tokenizer] has no single data set"},
    {"data_unknown_split", "data show good.toml --split dev",
     "--split: unknown split 'dev'; known: train, validation, test"},
    {"file_task_without_folder", "train good.toml --set task.use=file", "task.folder: not set; set it to a folder"},
    {"file_task_nowhere", "train good.toml --set task.use=file --set task.folder=nowhere",
     "task.folder: no folder 'nowhere'; make it with rfs data import"},
    {"reproduce_nothing", "reproduce", "command line: NAME is required; see rfs reproduce --list"},
    {"reproduce_unknown", "reproduce copi",
     "reproduce: unknown experiment 'copi' (did you mean 'copy'?); known: ablation, alibi, arena"},
    {"reproduce_unknown_preset", "reproduce copy --preset smal",
     "--preset: unknown preset 'smal' (did you mean 'small'?); known: large, mini, paper, small, tiny"},
    {"reproduce_preset_without_the_task", "reproduce tasks --preset mini",
     "tasks.toml:7: preset mini: unknown task 'copy2' (did you mean 'copy'?); known: addition, copy, long_addition, "
     "mqar"},
    {"reproduce_no_minutes", "reproduce all --minutes 0", "command line: --minutes: Value 0 not in range"},
    {"reproduce_negative_minutes", "reproduce all --minutes=-5", "command line: --minutes: Value -5 not in range"},
    {"reproduce_minutes_as_text", "reproduce all --minutes ten", "command line: "},
    {"reproduce_all_unknown_task", "reproduce all --preset tiny --tasks sorting",
     "--tasks: unknown task 'sorting'; known: copy, copy2, reverse"},
    {"arena_no_minutes", "arena --minutes 0", "command line: --minutes: Value 0 not in range"},
    {"arena_wrong_preset", "arena --preset tiny",
     "--preset: tiny has no table [long], which arena needs; choose large, mini, paper, small"},
    {"arena_unknown_method", "arena --methods rope", "--methods: unknown method 'rope'"},
    {"arena_add_nothing", "arena --add mine", "--add: must be 'NAME=table.key=value table.key=value', got 'mine'"},
    {"arena_add_no_settings", "arena --add mine=", "--add: mine has no settings; add some, such as encoding.use=rope"},
    {"arena_add_known", "arena --add none=encoding.use=rope",
     "--add: arena already has a method 'none'; choose another name"},
    {"arena_add_source", "arena --methods mine --add mine=train.from=runs/base", "mine: cannot have train.from (runs/"},
    {"arena_add_wrong_setting", "arena --methods mine --add mine=encoding.use=rop",
     "--add mine encoding.use: unknown encoding.use 'rop' (did you mean 'rope'?)"},
    {"arena_draw_nothing", "arena --draw --out folder",
     "folder: no records of arena (mini, 2000 steps); run the same command without --draw first"},
    {"arena_into_other_files", "arena --out folder", "folder: holds 'something.txt' and no runs of rfs reproduce"},
    {"reproduce_unknown_method", "reproduce copy --methods rope-rfs,rope",
     "--methods: unknown method 'rope' (did you mean 'none'?); known: sinusoidal-simple, sinusoidal-rfs"},
    {"reproduce_unknown_task", "reproduce copy --preset tiny --tasks scan",
     "--tasks: unknown task 'scan'; known: copy"},
    {"reproduce_no_seed", "reproduce copy --seeds one", "command line: "},
    {"reproduce_negative_seed", "reproduce copy --seeds=-1", "--seeds: must be at least 0, got -1"},
    {"show_experiment_set", "show " RFS_SOURCE "/experiments/copy.toml --set train.steps=3",
     "copy.toml contains an experiment of rfs reproduce, not settings"},
    {"train_preset", "train " RFS_SOURCE "/experiments/presets/paper.toml",
     "unknown table 'tasks' (did you mean 'task'?); known: positions"},
    {"reproduce_bad_shard", "reproduce copy --shard 3/2", "--shard: must be i/n with i from 1 to n, got '3/2'"},
    {"reproduce_bad_shard_form", "reproduce copy --shard two", "--shard: must be i/n with i from 1 to n, got 'two'"},
    {"reproduce_no_steps", "reproduce copy --steps 0", "--steps"},
    {"reproduce_unwritable", "reproduce copy --preset tiny --steps 1 --out /dev/null/x",
     "/dev/null/x: cannot make this folder"},
    {"reproduce_records_in_out", "reproduce copy --out folder --records ./folder",
     "--records: must differ from --out, got folder for both"},
    {"reproduce_draw_nothing", "reproduce copy --draw --out folder",
     "folder: no records of copy (paper, 40000 steps); run the same command without --draw first"},
    {"corpus_no_verb", "corpus", "command line: A subcommand is required"},
    {"corpus_no_input", "corpus make x", "command line: INPUT is required"},
    {"corpus_missing_input", "corpus make x nowhere.txt --set tokenizer.use=ids",
     "nowhere.txt: no such file or folder"},
    {"corpus_unknown_documents", "corpus make x good.toml --documents files",
     "--documents: unknown way to split documents 'files' (did you mean 'file'?); known: auto, file, separator"},
    {"corpus_other_setting", "corpus make x good.toml --set train.steps=3",
     "--set: must be tokenizer.key=value here, got 'train.steps=3'"},
    {"corpus_task_tokenizer", "corpus make x good.toml --set tokenizer.use=words",
     "tokenizer.use: words takes its vocabulary from a task"},
    {"corpus_bad_share", "corpus make x good.toml --validation 2", "--validation: Value 2 not in range"},
    {"corpus_no_text", "corpus make x folder/something.txt --set tokenizer.use=ids",
     "x: no documents found in the sources (1 empty, 0 broken)"},
    {"corpus_not_an_archive", "corpus make x text.tar --set tokenizer.use=ids",
     "text.tar: not an archive, in spite of its name"},
    {"corpus_into_other_files", "corpus make folder good.toml --set tokenizer.use=ids",
     "folder: already exists and is not a corpus; choose another folder"},
    {"corpus_into_its_input", "corpus make folder/x folder --set tokenizer.use=ids",
     "is inside the input folder; choose a folder outside it"},
    {"corpus_unwritable", "corpus make /dev/null/x good.toml --set tokenizer.use=ids", "/dev/null"},
    {"corpus_show_nowhere", "corpus show nowhere", "nowhere: no such folder; make a corpus with rfs corpus make"},
    {"corpus_show_no_corpus", "corpus show folder", "folder: not a corpus: it has no manifest.json"},
    {"corpus_show_another_version", "corpus show newer",
     "newer/manifest.json: not a corpus manifest of the format 'rfs corpus 1': its format is 'rfs corpus 2'"},
    {"export_nowhere", "export nowhere x", "nowhere: no such run folder"},
    {"export_untrained", "export untrained x",
     "untrained: this run is not trained yet; train it before it is exported"},
    {"export_truncated_model", "export truncated x", "truncated/model.safetensors: must be a whole safetensors file"},
    {"export_unknown_format", "export truncated x --format onnx", "--format: unknown format 'onnx'; known: hf, gguf"},
    {"export_no_tokens", "export truncated x --tokens 0", "--tokens: must be between 1 and 8388608, got 0"},
    {"export_over_a_file", "export truncated good.toml", "good.toml: already exists; choose another name"},
    {"import_nowhere", "import x nowhere", "nowhere/config.json: cannot read this file"},
    {"import_over_a_folder", "import folder nowhere", "folder: already exists; choose another name"},
    {"import_other_model", "import x folder --set model.layers=3", "--set model.layers: config.json defines the model"},
    {"list_unknown_family", "list shapes", "list: unknown family 'shapes'; known: positions, encoding, attention"},
    {"list_unknown_name", "list positions even", "list: unknown positions 'even'; known: cape, coupled, interpolated"},
    {"show_unknown_key", "show good.toml --set model.depth=3", "unknown key 'model.depth'"},
};

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, GetOneLineAndCodeTwo) {
  if (std::string(GetParam().name) == "no_cuda" && std::filesystem::exists("/dev/nvidiactl")) GTEST_SKIP();
  const Scratch scratch;
  scratch.write("good.toml",
                "[task]\ntrain_lengths = [2, 4]\ntest_lengths = [5, 6]\ntrain_samples = 20\nvalidation_samples = 2\n"
                "test_samples = 2\nwords = 5\n[model]\npreset = 'tiny'\nlayers = 1\nwidth = 8\n[train]\nsteps = 2\n"
                "warmup = 1\n");
  scratch.write("addition.toml", "[positions]\nuse = 'coupled'\n[task]\nuse = 'long_addition'\n");
  scratch.write("broken.toml", "[train]\nsteps = = 3\n");
  scratch.write("loose.toml", "steps = 3\n");
  scratch.write("table.toml", "[foo]\n");
  scratch.write("newline.toml", "[train]\n\"a\\nb\" = 3\n");
  scratch.write("binary.toml", std::string("\x00\xff\x7f"
                                           "ELF",
                                           6));
  scratch.write("folder/something.txt", "");
  scratch.write("negative.jsonl", R"({"prompt": "a", "answer": "b", "length": -1})");
  scratch.write("blank.jsonl", R"({"prompt": "a", "answer": " ", "length": 1})");
  scratch.write("long/data.json", R"({"fixed": [], "names": 0})");
  scratch.write("long/train.jsonl",
                R"({"prompt": ")" + std::string(100'000, 'x') + R"(", "answer": "b", "length": 1})");
  std::filesystem::create_directories(scratch.path() / "pipes");
  for (const char* name : {"pipe", "pipes/config.json"}) ASSERT_EQ(mkfifo((scratch.path() / name).c_str(), 0600), 0);
  scratch.write("points/1/notes.txt", "");
  scratch.write("points/2/settings.toml", "");
  scratch.write("text.tar", "1 2 3\n");
  scratch.write("newer/manifest.json", "{\"format\": \"rfs corpus 2\"}");
  const std::string question = R"({"passage": "p", "question": "q", "gold": 1})";
  scratch.write("boolq.jsonl", question);
  scratch.write("label.jsonl", question + "\n" + R"({"passage": "p", "question": "q", "gold": 2})");
  scratch.write("choices.jsonl", R"({"question": "q", "choices": [], "gold": 0})");
  scratch.write("untrained/settings.toml", "[train]\n");
  for (const char* run : {"truncated", "foreign", "damaged"}) {
    scratch.write(std::string(run) + "/settings.toml", "[train]\n");
    scratch.write(std::string(run) + "/train.json", "{}");
  }
  scratch.write("truncated/model.safetensors", std::string("\xff\x00\x00\x00\x00\x00\x00\x00{\"a", 11));
  scratch.write("foreign/model.safetensors", "PK\x03\x04 an archive of another kind");
  scratch.write("damaged/eval.json", "{\"lengths\": [");
  const auto listing = [&] {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch.path()))
      files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
  };
  const auto before = listing();
  const Outcome outcome = run_program(GetParam().arguments, scratch.path());
  EXPECT_EQ(outcome.code, 2) << outcome.error;
  EXPECT_EQ(outcome.output, "");
  EXPECT_TRUE(outcome.error.starts_with("rfs: ")) << outcome.error;
  EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
  EXPECT_NE(outcome.error.find(GetParam().says), std::string::npos) << outcome.error;
  EXPECT_EQ(listing(), before);
}

INSTANTIATE_TEST_SUITE_P(Rows, Mistakes, testing::ValuesIn(mistakes),
                         [](const auto& named) { return named.param.name; });

}  // namespace
}  // namespace rfs
