(** * What Xavier still needs

    Each field has a need, the fewest marks with which he may come to own it. [least] is the fewest marks with which he
    can complete a plan if he may place them anywhere, and [others] the fewest that he needs for a plan through a field
    outside that field. Both are looked up by the nine needs, read as a number of nine digits to the base 5. How the
    table is made is nowhere believed: what the proof uses of it is checked by computation ([all_totals_are_right]).

    Plan: the table; sums over a line of fields; [least_bound] and [others_bound]. *)

From Coq Require Import List Bool Arith Lia Uint63 PArray ZArith.
Import ListNotations.
From U3T Require Import Symmetry Race Fields.

Local Open Scope uint63_scope.
Local Open Scope array_scope.

Definition index_of (n : square -> int) : int :=
  n S0 + 5 * (n S1 + 5 * (n S2 + 5 * (n S3 + 5 * (n S4 + 5 * (n S5 + 5 * (n S6 + 5 * (n S7 + 5 * n S8))))))).

(** More than the marks that there are. *)
Definition value (n : int) : int := if n =? never then 21 else n.

Definition min (i j : int) : int := if i <? j then i else j.

(** Ten numbers of six bits: the least sum over a line of fields; for each field, over the rest of a line through it. *)
Definition entry (n : square -> int) : int :=
  let '(a, b, c, d, e, f, g, h, i) :=
    (value (n S0), value (n S1), value (n S2), value (n S3), value (n S4), value (n S5), value (n S6), value (n S7),
     value (n S8)) in
  let a' := min (b + c) (min (d + g) (e + i)) in
  let b' := min (a + c) (e + h) in
  let c' := min (a + b) (min (f + i) (e + g)) in
  let d' := min (a + g) (e + f) in
  let e' := min (min (a + i) (b + h)) (min (c + g) (d + f)) in
  let f' := min (c + i) (d + e) in
  let g' := min (a + d) (min (c + e) (h + i)) in
  let h' := min (b + e) (g + i) in
  let i' := min (a + e) (min (c + f) (g + h)) in
  min (a + a') (min (e + e') (i + i')) lor (a' << 6) lor (b' << 12) lor (c' << 18) lor (d' << 24) lor (e' << 30)
    lor (f' << 36) lor (g' << 42) lor (h' << 48) lor (i' << 54).

Definition least (entry : int) : int := entry land 63.

Definition place (f : square) : int :=
  match f with
  | S0 => 6 | S1 => 12 | S2 => 18 | S3 => 24 | S4 => 30 | S5 => 36 | S6 => 42 | S7 => 48 | S8 => 54
  end.

Definition others (entry : int) (f : square) : int := (entry >> place f) land 63.

Definition choose (a b c d e f g h i : int) (s : square) : int :=
  match s with S0 => a | S1 => b | S2 => c | S3 => d | S4 => e | S5 => f | S6 => g | S7 => h | S8 => i end.

Definition all_totals : array int :=
  let each (f : int -> array int -> array int) table := fold_left (fun table n => f n table) needs table in
  each (fun a => each (fun b => each (fun c => each (fun d => each (fun e => each (fun f =>
    each (fun g => each (fun h => each (fun i table =>
      let n := choose a b c d e f g h i in table.[index_of n <- entry n])))))))))
  (make 1953125 0).

Definition is_total (e : int) (n : square -> int) (l : line) : bool :=
  let '(a, b, c) := members l in
  (least e <=? value (n a) + value (n b) + value (n c)) && (others e a <=? value (n b) + value (n c)) &&
  (others e b <=? value (n a) + value (n c)) && (others e c <=? value (n a) + value (n b)).

Definition totals_right (totals : array int) : bool :=
  let each (f : int -> bool) := forallb f needs in
  each (fun a => each (fun b => each (fun c => each (fun d => each (fun e => each (fun f =>
    each (fun g => each (fun h => each (fun i =>
      let n := choose a b c d e f g h i in forallb (is_total totals.[index_of n] n) all_lines))))))))).

Lemma all_totals_are_right : totals_right all_totals = true.
Proof. vm_compute. reflexivity. Qed.

(** Sums over a line, and over the rest of a line without one of its squares. *)
Definition sum_on (l : line) (x : square -> nat) : nat := let '(a, b, c) := members l in x a + x b + x c.

Definition sum_beside (l : line) (f : square) (x : square -> nat) : nat :=
  sum_on l (fun g => if same f g then 0 else x g)%nat.

Lemma sum_with : forall l f x, on l f = true -> sum_on l x = (x f + sum_beside l f x)%nat.
Proof. intros [] [] x E; try easy; unfold sum_beside, sum_on; simpl; lia. Qed.

Lemma to_nat_spec : forall i, Z.of_nat (to_nat i) = to_Z i.
Proof. intro i. apply Z2Nat.id, to_Z_bounded. Qed.

Lemma value_of_need : forall n x, In n needs -> (to_nat n <= x <= 3)%nat -> (to_nat (value n) <= x)%nat.
Proof. intros n x I L. simpl in I. destruct I as [<-|[<-|[<-|[<-|[<-|[]]]]]]; vm_compute in L |- *; lia. Qed.

Lemma value_at_most : forall n, In n needs -> (0 <= to_Z (value n) <= 21)%Z.
Proof. intros n I. simpl in I. destruct I as [<-|[<-|[<-|[<-|[<-|[]]]]]]; now vm_compute. Qed.

Lemma sum_of_two : forall i j, (0 <= to_Z i <= 21)%Z -> (0 <= to_Z j <= 21)%Z -> to_Z (i + j) = (to_Z i + to_Z j)%Z.
Proof. intros i j I J. rewrite add_spec. apply Z.mod_small. change wB with 9223372036854775808%Z. lia. Qed.

Lemma sum_of_three : forall i j k, (0 <= to_Z i <= 21)%Z -> (0 <= to_Z j <= 21)%Z -> (0 <= to_Z k <= 21)%Z ->
  to_Z (i + j + k) = (to_Z i + to_Z j + to_Z k)%Z.
Proof.
  intros i j k I J K. rewrite add_spec, sum_of_two by easy.
  apply Z.mod_small. change wB with 9223372036854775808%Z. lia.
Qed.

Section Totals.
  Variable totals : array int.
  Hypothesis right : totals_right totals = true.
  Variable n : square -> int.
  Hypothesis all_needs : forall s, In (n s) needs.

  Lemma is_a_total : forall l, is_total totals.[index_of n] n l = true.
  Proof.
    intro l. pose proof right as R. unfold totals_right in R. cbv zeta in R.
    rewrite forallb_forall in R. specialize (R _ (all_needs S0)). rewrite forallb_forall in R.
    specialize (R _ (all_needs S1)).
    rewrite forallb_forall in R. specialize (R _ (all_needs S2)). rewrite forallb_forall in R.
    specialize (R _ (all_needs S3)).
    rewrite forallb_forall in R. specialize (R _ (all_needs S4)). rewrite forallb_forall in R.
    specialize (R _ (all_needs S5)).
    rewrite forallb_forall in R. specialize (R _ (all_needs S6)). rewrite forallb_forall in R.
    specialize (R _ (all_needs S7)).
    rewrite forallb_forall in R. specialize (R _ (all_needs S8)). rewrite forallb_forall in R.
    specialize (R l (in_all_lines l)). destruct l; exact R.
  Qed.

  Lemma totals_in_words : forall a b c l, members l = (a, b, c) ->
    let e := totals.[index_of n] in let v := fun s => to_nat (value (n s)) in
    (to_nat (least e) <= v a + v b + v c /\ to_nat (others e a) <= v b + v c /\
     to_nat (others e b) <= v a + v c /\ to_nat (others e c) <= v a + v b)%nat.
  Proof.
    intros a b c l M. pose proof (is_a_total l) as T. unfold is_total in T. rewrite M in T.
    generalize dependent (totals.[index_of n]). intros e T. cbv beta zeta.
    pose proof (value_at_most _ (all_needs a)). pose proof (value_at_most _ (all_needs b)).
    pose proof (value_at_most _ (all_needs c)).
    rewrite !andb_true_iff, !leb_spec, sum_of_three, !sum_of_two in T by assumption.
    pose proof (to_nat_spec (least e)). pose proof (to_nat_spec (others e a)). pose proof (to_nat_spec (others e b)).
    pose proof (to_nat_spec (others e c)). pose proof (to_nat_spec (value (n a))).
    pose proof (to_nat_spec (value (n b))). pose proof (to_nat_spec (value (n c))). lia.
  Qed.

  Lemma least_bound : forall l x, (forall f, on l f = true -> to_nat (n f) <= x f <= 3)%nat ->
    (to_nat (least totals.[index_of n]) <= sum_on l x)%nat.
  Proof.
    intros l x B. unfold sum_on. destruct (members l) as [[a b] c] eqn:M.
    destruct (totals_in_words a b c l M) as (T & _).
    assert (V : forall f, on l f = true -> (to_nat (value (n f)) <= x f)%nat) by (intros; apply value_of_need; auto).
    unfold on in V. rewrite M in V. pose proof (V a). pose proof (V b). pose proof (V c).
    rewrite !same_refl, ?orb_true_r in *. simpl in *. lia.
  Qed.

  Lemma others_bound : forall l f x, on l f = true ->
    (forall g, on l g = true -> g <> f -> to_nat (n g) <= x g <= 3)%nat ->
    (to_nat (others totals.[index_of n] f) <= sum_beside l f x)%nat.
  Proof.
    intros l f x L B.
    assert (V : forall g, on l g = true -> g <> f -> (to_nat (value (n g)) <= x g)%nat)
      by (intros; apply value_of_need; auto).
    destruct (members l) as [[a b] c] eqn:M. destruct (totals_in_words a b c l M) as (_ & A & B' & C).
    destruct l; injection M as <- <- <-; destruct f; try easy; unfold sum_beside, sum_on; simpl;
      match goal with
      | |- (_ <= 0 + x ?u + x ?v)%nat => pose proof (V u eq_refl ltac:(easy)); pose proof (V v eq_refl ltac:(easy)); lia
      | |- (_ <= x ?u + 0 + x ?v)%nat => pose proof (V u eq_refl ltac:(easy)); pose proof (V v eq_refl ltac:(easy)); lia
      | |- (_ <= x ?u + x ?v + 0)%nat => pose proof (V u eq_refl ltac:(easy)); pose proof (V v eq_refl ltac:(easy)); lia
      | |- (_ <= x ?u + x ?v)%nat => pose proof (V u eq_refl ltac:(easy)); pose proof (V v eq_refl ltac:(easy)); lia
      end.
  Qed.
End Totals.
