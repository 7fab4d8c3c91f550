(** * Single fields

    The race is checked in machine words. A field is a number: bits 0 to 8 are his marks that matter, bits 9 to 17 the
    other taken spots. Whatever follows from one field stands in a table of rows, made by functions of a few lines.
    How it is made is nowhere believed: what the proof uses of a row is checked, for every field, by computation
    ([all_rows_are_right]).

    Plan: fields as numbers; the row of a field; what is right about a row, as a test and in words. *)

From Coq Require Import List Bool Arith Lia Uint63 PArray ZArith.
Import ListNotations.
From U3T Require Import Symmetry Race.

Local Open Scope uint63_scope.
Local Open Scope array_scope.

(** ** Fields as numbers *)

Definition bit (s : square) : int :=
  match s with S0 => 1 | S1 => 2 | S2 => 4 | S3 => 8 | S4 => 16 | S5 => 32 | S6 => 64 | S7 => 128 | S8 => 256 end.

Definition full_mask : int := 511.

Definition is_taken_in (c : int) (s : square) : bool := negb ((c lor (c >> 9)) land (bit s) =? 0).

Definition is_blocked (c : int) (s : square) : bool := negb ((c >> 9) land (bit s) =? 0).

(** No spot of the line is blocked: he may hold it one day. *)
Definition is_open (c : int) (l : line) : bool := forallb (fun s => negb (on l s && is_blocked c s)) squares.

(** How many of the three spots of a line are free. *)
Definition count (free : square -> bool) (l : line) : nat :=
  let '(a, b, c) := members l in Nat.b2n (free a) + Nat.b2n (free b) + Nat.b2n (free c).

Definition lacking (c : int) (l : line) : nat := count (fun s => negb (is_taken_in c s)) l.

(** Eighteen bits, no spot both his and blocked. *)
Definition codes : int := 262144.
Definition is_code (c : int) : bool := (c <? codes) && (c land (c >> 9) =? 0).

(** ** The row of a field *)

(** A free spot, and the field after his mark there, or hers. *)
Record option_ := Option_ { spot : square; his : int; hers : int }.

Record row := Row {
  need : int;            (* the fewest marks with which he owns the field; 4 where he never will *)
  free_spots : list option_;
  width : int;           (* how many these are: only a hint *)
  useful : int;          (* on how many of them a mark of his lowers the need: only a hint *)
  within_0 : int;        (* the field without lines that need more than no mark, one, two *)
  within_1 : int;
  within_2 : int
}.

Definition never : int := 4.

Definition line_mask (l : line) : int := let '(a, b, c) := members l in (bit a) lor (bit b) lor (bit c).

Definition size (m : int) : int := fold_left (fun n s => if m land (bit s) =? 0 then n else n + 1) squares 0.

Definition owns (x : int) : bool := existsb (fun l => x land (line_mask l) =? line_mask l) all_lines.

(** The lines that need at most [most] marks: each is [f]olded in. *)
Definition fold_lines {A} (most x o : int) (f : A -> line -> int -> A) (a : A) : A :=
  fold_left (fun a l =>
    let n := 3 - size (x land (line_mask l)) in
    if (o land (line_mask l) =? 0) && (n <=? most) then f a l n else a) all_lines a.

(** The field in which [x] are his marks and [o] the other taken spots, without what does not matter: if he owns it only
    which spots are taken does, otherwise his marks on lines that need at most [most] marks. *)
Definition field_of (most x o : int) : int :=
  if owns x then x lor o else
  let mine := x land (fold_lines most x o (fun m l _ => m lor (line_mask l)) 0) in
  mine lor (((x lor o) lxor mine) << 9).

Definition need_of_marks (x o : int) : int :=
  if owns x then 0 else fold_lines 3 x o (fun least _ n => if n <? least then n else least) never.

Definition make_row (x o : int) : row :=
  let free := filter (fun s => (x lor o) land (bit s) =? 0) squares in
  let n := need_of_marks x o in
  {| need := n;
     free_spots := map (fun s => Option_ s (field_of 3 (x lor (bit s)) o) (field_of 3 x (o lor (bit s)))) free;
     width := size (full_mask lxor (x lor o));
     useful := fold_left (fun u s => if need_of_marks (x lor (bit s)) o <? n then u + 1 else u) free 0;
     within_0 := field_of 0 x o;
     within_1 := field_of 1 x o;
     within_2 := field_of 2 x o |}.

(** The numbers of [n] bits that begin with those of [base], before [rest]. *)
Fixpoint masks (n : nat) (base : int) (rest : list int) : list int :=
  match n with 0 => base :: rest | S n => masks n (2 * base) (masks n (2 * base + 1) rest) end.

Definition all_rows : array row :=
  fold_left (fun table x =>
    fold_left (fun table o => if x land o =? 0 then table.[x lor (o << 9) <- make_row x o] else table)
      (masks 9 0 []) table)
    (masks 9 0 []) (make codes (Row never [] 0 0 0 0 0)).

(** ** What is right about it *)

(** [c] is a field with these spots taken, in which these lines are open. *)
Definition becomes (c : int) (takes : square -> bool) (opens : line -> bool) : bool :=
  is_code c && forallb (fun s => Bool.eqb (is_taken_in c s) (takes s)) squares &&
  forallb (fun l => implb (opens l) (is_open c l)) all_lines.

Definition needs : list int := [0; 1; 2; 3; 4].

Definition to_nat (i : int) : nat := Z.to_nat (to_Z i).

Definition is_within (most : nat) (c : int) (l : line) : bool := is_open c l && (lacking c l <=? most)%nat.

Definition is_right (c : int) (r : row) : bool :=
  existsb (Uint63.eqb (need r)) needs &&
  forallb (fun l => implb (is_open c l) (to_nat (need r) <=? lacking c l)%nat) all_lines &&
  forallb (fun s => is_taken_in c s || existsb (fun o => same s (spot o)) (free_spots r)) squares &&
  forallb (fun o => negb (is_taken_in c (spot o)) &&
    becomes (his o) (fun s => is_taken_in c s || same (spot o) s) (is_open c) &&
    becomes (hers o) (fun s => is_taken_in c s || same (spot o) s) (fun l => is_open c l && negb (on l (spot o))))
    (free_spots r) &&
  becomes (within_0 r) (is_taken_in c) (is_within 0 c) &&
  becomes (within_1 r) (is_taken_in c) (is_within 1 c) &&
  becomes (within_2 r) (is_taken_in c) (is_within 2 c).

(** A test of the [2 ^ n] numbers that begin with the bits of [base]. *)
Fixpoint all_after (n : nat) (base : int) (test : int -> bool) : bool :=
  match n with
  | 0 => test base
  | S n => if all_after n (2 * base) test then all_after n (2 * base + 1) test else false
  end.

(** Where Coq compares two terms, it unfolds everything else before it looks at each of these numbers. *)
Strategy 1000 [all_after].

Lemma all_after_spec : forall test n base c, ((to_Z base + 1) * 2 ^ Z.of_nat n <= 262144)%Z ->
  all_after n base test = true ->
  (to_Z base * 2 ^ Z.of_nat n <= to_Z c < (to_Z base + 1) * 2 ^ Z.of_nat n)%Z -> test c = true.
Proof.
  induction n as [|n IH]; intros base c Small All Range; cbn [all_after] in All.
  - assert (E : to_Z base = to_Z c) by (change (2 ^ Z.of_nat 0)%Z with 1%Z in Range; lia).
    now apply to_Z_inj in E as <-.
  - rewrite Nat2Z.inj_succ, Z.pow_succ_r in Small, Range by lia.
    assert (P : (0 < 2 ^ Z.of_nat n)%Z) by (apply Z.pow_pos_nonneg; lia).
    pose proof (to_Z_bounded base) as [Low _]. revert IH Small Range P. generalize (2 ^ Z.of_nat n)%Z as p.
    intros p IH Small Range P. assert (B : (to_Z base <= 262144)%Z) by nia.
    assert (D : to_Z (2 * base) = (2 * to_Z base)%Z).
    { rewrite mul_spec. apply Z.mod_small. change (to_Z 2) with 2%Z. change wB with 9223372036854775808%Z. lia. }
    assert (D' : to_Z (2 * base + 1) = (2 * to_Z base + 1)%Z).
    { rewrite add_spec, D. apply Z.mod_small. change (to_Z 1) with 1%Z. change wB with 9223372036854775808%Z. lia. }
    destruct (all_after n (2 * base) test) eqn:Left; [|easy].
    destruct (Z.lt_ge_cases (to_Z c) ((2 * to_Z base + 1) * p)).
    + apply (IH (2 * base) c); rewrite ?D; [nia | exact Left | nia].
    + apply (IH (2 * base + 1) c); rewrite ?D'; [nia | exact All | nia].
Qed.

Definition all_codes (test : int -> bool) : bool := all_after 18 0 (fun c => if is_code c then test c else true).

Lemma all_codes_spec : forall test c, all_codes test = true -> is_code c = true -> test c = true.
Proof.
  intros test c All Code. pose proof (all_after_spec _ 18 0 c ltac:(easy) All) as R. cbv beta in R.
  rewrite Code in R. apply R. unfold is_code in Code. apply andb_true_iff in Code as [L _]. apply ltb_spec in L.
  pose proof (to_Z_bounded c). change (to_Z codes) with 262144%Z in L. change (to_Z 0) with 0%Z.
  change (2 ^ Z.of_nat 18)%Z with 262144%Z. lia.
Qed.

Definition are_right (rows : array row) : bool := all_codes (fun c => is_right c rows.[c]).

Lemma all_rows_are_right : are_right all_rows = true.
Proof. vm_compute. reflexivity. Qed.

Record field_becomes (c : int) (takes : square -> bool) (opens : line -> bool) : Prop := {
  is_a_code : is_code c = true;
  takes_these : forall s, is_taken_in c s = takes s;
  opens_these : forall l, opens l = true -> is_open c l = true
}.

Lemma becomes_spec : forall c takes opens, becomes c takes opens = true -> field_becomes c takes opens.
Proof.
  intros d takes opens B. unfold becomes in B. rewrite !andb_true_iff, !forallb_forall in B.
  destruct B as ((C & T) & O).
  split; [exact C| |].
  - intro s. apply Bool.eqb_prop, T, in_squares.
  - intros l Op. specialize (O l (in_all_lines l)). rewrite Op in O. exact O.
Qed.

Record row_is_right (c : int) (r : row) : Prop := {
  need_is_a_need : In (need r) needs;
  need_is_least : forall l, is_open c l = true -> (to_nat (need r) <= lacking c l)%nat;
  every_free_spot : forall s, is_taken_in c s = false -> exists o, In o (free_spots r) /\ spot o = s;
  spot_is_free : forall o, In o (free_spots r) -> is_taken_in c (spot o) = false;
  after_his : forall o, In o (free_spots r) ->
    field_becomes (his o) (fun s => is_taken_in c s || same (spot o) s) (is_open c);
  after_hers : forall o, In o (free_spots r) ->
    field_becomes (hers o) (fun s => is_taken_in c s || same (spot o) s) (fun l => is_open c l && negb (on l (spot o)));
  right_within_0 : field_becomes (within_0 r) (is_taken_in c) (is_within 0 c);
  right_within_1 : field_becomes (within_1 r) (is_taken_in c) (is_within 1 c);
  right_within_2 : field_becomes (within_2 r) (is_taken_in c) (is_within 2 c)
}.

Lemma is_right_spec : forall c r, is_right c r = true -> row_is_right c r.
Proof.
  intros c r R. unfold is_right in R.
  apply andb_prop in R as [R W2]. apply andb_prop in R as [R W1]. apply andb_prop in R as [R W0].
  apply andb_prop in R as [R Spots]. apply andb_prop in R as [R Free]. apply andb_prop in R as [Need Least].
  rewrite forallb_forall in Spots, Free, Least.
  assert (All : forall o, In o (free_spots r) -> _) by (intros o I; exact (andb_prop _ _ (Spots o I))).
  split; try (now apply becomes_spec).
  - apply existsb_exists in Need as (n & I & E). apply Uint63.eqb_spec in E. now rewrite E.
  - intros l Op. specialize (Least l (in_all_lines l)). rewrite Op in Least. now apply Nat.leb_le.
  - intros s T. specialize (Free s (in_squares s)). rewrite T in Free. apply existsb_exists in Free as (o & I & E).
    exists o. split; [exact I|]. now destruct (same_spec s (spot o)).
  - intros o I. destruct (All o I) as [TX _]. apply andb_prop in TX as [T _]. now apply negb_true_iff in T.
  - intros o I. destruct (All o I) as [TX _]. apply andb_prop in TX as [_ X]. now apply becomes_spec.
  - intros o I. destruct (All o I) as [_ Y]. now apply becomes_spec.
Qed.

Lemma rows_are_right : forall rows c, are_right rows = true -> is_code c = true -> row_is_right c rows.[c].
Proof.
  intros rows c Right Code. apply is_right_spec. exact (all_codes_spec _ c Right Code).
Qed.
