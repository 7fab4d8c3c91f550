(** * What tables of Olivia's replies show: beginnings that are held, and no win by ply 41

    A beginning is [held m] if a table of her replies checks out from there on, against [m] more marks of Xavier's; then
    he cannot force a win with them, after this beginning or any of which it is an image ([held_prevents]). Symmetries
    take each first mark to one of fifteen. The tables are data: [Leaves.v] and its pieces, which [make coq] writes,
    check them.

    Plan: what is held; first marks; Lemma 6, that only doubles win by ply 46 ([lemma_6_from]); [no_win_by_41_from]. *)

From Coq Require Import Uint63 PArray List Bool Arith Lia.
Import ListNotations.
From U3T Require Import Rules Game Facts Symmetry Race Fields Needs Coarse Replies.

Lemma start_shown : shows empty_race start.
Proof.
  split; [| easy |].
  - now intros [] [].
  - now intros [].
Qed.

Section Tables.
  Variable rows : array row.
  Variable totals : array int.
  Hypothesis rows_right : are_right rows = true.
  Hypothesis right_totals : totals_right totals = true.

  (** A table of her replies checks out for a list of beginnings that has this one; he has [m] marks left. *)
  Definition is_held (m : nat) (l : beginning) : Prop := exists i beginnings table,
    to_nat i = m /\ In l beginnings /\
    check rows totals m i (map (summary_after rows Xavier blank) beginnings) table = true.

  Lemma beginning_shown : forall l m r q p, well_formed p -> shows r p -> covers (length l + m) r q ->
    are_legal p (spots l) ->
    exists r', shows r' (plays p (spots l)) /\ covers m r' (summary_after rows (turn p) q l).
  Proof.
    intros l. induction l as [|[f s] l IH]; intros m r q p W Sh C L; [now exists r|]. destruct L as [I L].
    apply (IH m (after (turn p) r f s) _ _ (play_well_formed p _ W I)); [now apply shows_play | | exact L].
    apply marked_covers; [exact rows_right | exact C | now apply legal_may with p].
  Qed.

  Theorem held_prevents_here : forall to from m l n, symmetry to from -> is_held m (image to l) ->
    are_legal start (spots l) -> Nat.even (length l) = false -> n < length l + 2 * m + 2 ->
    ~ forces n (plays start (spots l)).
  Proof.
    intros to from m l n Sym (i & beginnings & table & M & In_ & Checked) L Odd Few F.
    destruct (forces_image to from Sym l n L F) as [L' F'].
    destruct (plays_well_formed _ _ start_well_formed L') as [W P].
    destruct (beginning_shown _ m empty_race blank start start_well_formed start_shown (blank_covers _) L') as (r & Sh & C).
    replace (length (spots (image to l))) with (length l) in P by (unfold spots, image; now rewrite !map_length).
    change (ply (plays start (spots (image to l))) = length l) in P.
    refine (check_sound rows totals rows_right right_totals m i _ _ M Checked _ r (in_map _ _ _ In_) C _).
    apply (forces_is_lost_race n _ F' W r m Sh); [|lia].
    pose proof (turns_alternate _ W) as T. rewrite P in T. now rewrite T, Odd.
  Qed.
End Tables.

Definition held (m : nat) (l : beginning) : Prop := is_held all_rows all_totals m l.

Theorem held_prevents : forall to from m l n, symmetry to from -> held m (image to l) ->
  are_legal start (spots l) -> Nat.even (length l) = false -> n < length l + 2 * m + 2 ->
  ~ forces n (plays start (spots l)).
Proof. exact (held_prevents_here all_rows all_totals all_rows_are_right all_totals_are_right). Qed.

(** What a piece of the data shows, and how pieces are joined. *)
Definition check_all (m : nat) (i : int) (beginnings : list beginning) (table : list (list int)) : bool :=
  check all_rows all_totals m i (map (summary_after all_rows Xavier blank) beginnings) table.

Lemma all_held : forall m i beginnings table, to_nat i = m -> check_all m i beginnings table = true ->
  Forall (held m) beginnings.
Proof. intros m i beginnings table M C. apply Forall_forall. intros l I. now exists i, beginnings, table. Qed.

Lemma both_held : forall m l l', Forall (held m) l -> Forall (held m) l' -> Forall (held m) (l ++ l').
Proof. intros m l l' H H'. now apply Forall_app. Qed.

(** ** First marks: three doubles, and twelve that are none *)

Definition double_of (s : square) : beginning := [(s, s)].

Definition doubles : list beginning := map double_of [S4; S0; S1].

Definition pairs : list (square * square) :=
  [(S0, S1); (S0, S2); (S0, S4); (S0, S5); (S0, S8);
   (S1, S0); (S1, S3); (S1, S4); (S1, S6); (S1, S7);
   (S4, S0); (S4, S1)].

Definition no_doubles : list beginning := map (fun m => [m]) pairs.

Lemma every_double : forall s, exists to from, symmetry to from /\ In (double_of (to s)) doubles.
Proof.
  intro s. destruct (some_symmetry (fun to => existsb (same (to s)) [S4; S0; S1])) as (to & from & Sym & T);
    [now destruct s|].
  exists to, from. split; [exact Sym|]. apply in_map. apply existsb_exists in T as (c & I & T).
  now destruct (same_spec (to s) c) as [->|].
Qed.

Lemma every_pair : forall f s, f <> s -> exists to from, symmetry to from /\ In (to f, to s) pairs.
Proof.
  intros f s N.
  destruct (some_symmetry (fun to => existsb (fun m => same (to f) (fst m) && same (to s) (snd m)) pairs))
    as (to & from & Sym & T); [now destruct f, s|].
  exists to, from. split; [exact Sym|]. apply existsb_exists in T as ([g t] & I & T). cbn [fst snd] in T.
  destruct (same_spec (to f) g) as [->|]; [|easy]. now destruct (same_spec (to s) t) as [->|].
Qed.

(** After a first mark that is no double he has 22 more up to ply 45. *)
Theorem lemma_6_from : Forall (held 22) no_doubles ->
  forall m, In m (legal_moves start) -> forces 46 (play start m) -> exists i, i < 9 /\ m = (i, i).
Proof.
  intros Held m I F. destruct (every_legal_move _ _ start_well_formed I) as (f & s & ->).
  destruct (same_spec f s) as [<-|N]; [exists (number f); split; [apply number_below_9 | easy] | exfalso].
  destruct (every_pair f s N) as (to & from & Sym & P). rewrite Forall_forall in Held.
  refine (held_prevents to from 22 [(f, s)] 46 Sym (Held _ (in_map _ _ _ P)) (conj I Logic.I) eq_refl _ F). simpl. lia.
Qed.

(** After a double he has 20 more up to ply 41. *)
Theorem no_win_by_41_from : Forall (held 20) doubles -> Forall (held 22) no_doubles -> no_win_by_41_statement.
Proof.
  intros Held Others F. inversion F as [? W | ? m _ I F' | ? T]; subst; [easy| |easy].
  destruct (lemma_6_from Others m I) as (i & Li & ->); [apply forces_monotone with 41; [lia | exact F']|].
  destruct (square_of_number i Li) as [s <-]. destruct (every_double s) as (to & from & Sym & P).
  rewrite Forall_forall in Held.
  refine (held_prevents to from 20 [(s, s)] 41 Sym (Held _ P) (conj I Logic.I) eq_refl _ F'). simpl. lia.
Qed.
