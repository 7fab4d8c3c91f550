(** * The symmetries of the game

    The eight symmetries of the square, of the fields and of the spots of each field at once, change nothing: what he can
    force after some moves he can force after their images ([forces_image]).

    Plan: squares and lines as finite types; symmetries; positions that are [alike], that plays keep them so, and that
    what can be forced is the same; beginnings and their images; the eight symmetries. *)

From Coq Require Import List Bool Arith Lia.
Import ListNotations.
From U3T Require Import Rules Game Facts.

(** ** Squares and lines *)

(** A square is a spot of a field, or a field of the board (figure 1). *)
Inductive square := S0 | S1 | S2 | S3 | S4 | S5 | S6 | S7 | S8.

Definition number (s : square) : nat :=
  match s with S0 => 0 | S1 => 1 | S2 => 2 | S3 => 3 | S4 => 4 | S5 => 5 | S6 => 6 | S7 => 7 | S8 => 8 end.

Definition squares : list square := [S0; S1; S2; S3; S4; S5; S6; S7; S8].

Definition same (s t : square) : bool :=
  match s, t with
  | S0, S0 | S1, S1 | S2, S2 | S3, S3 | S4, S4 | S5, S5 | S6, S6 | S7, S7 | S8, S8 => true
  | _, _ => false
  end.

Lemma in_squares : forall s, In s squares.
Proof. intros []; simpl; tauto. Qed.

Lemma same_spec : forall s t, reflect (s = t) (same s t).
Proof. intros [] []; constructor; congruence. Qed.

Lemma same_refl : forall s, same s s = true.
Proof. now intros []. Qed.

Lemma square_of_number : forall i, i < 9 -> exists s, number s = i.
Proof.
  intros i L. do 9 (destruct i as [|i]; [now (exists S0 + exists S1 + exists S2 + exists S3 + exists S4 +
    exists S5 + exists S6 + exists S7 + exists S8)|]). lia.
Qed.

Lemma number_below_9 : forall s, number s < 9.
Proof. intros []; simpl; lia. Qed.

Lemma number_inj : forall s t, number s = number t -> s = t.
Proof. now intros [] []. Qed.

(** Rows, columns, diagonals. *)
Inductive line := Row0 | Row1 | Row2 | Column0 | Column1 | Column2 | Falling | Rising.

Definition all_lines : list line := [Row0; Row1; Row2; Column0; Column1; Column2; Falling; Rising].

Definition members (l : line) : square * square * square :=
  match l with
  | Row0 => (S0, S1, S2) | Row1 => (S3, S4, S5) | Row2 => (S6, S7, S8)
  | Column0 => (S0, S3, S6) | Column1 => (S1, S4, S7) | Column2 => (S2, S5, S8)
  | Falling => (S0, S4, S8) | Rising => (S2, S4, S6)
  end.

Definition on (l : line) (s : square) : bool := let '(a, b, c) := members l in same a s || same b s || same c s.

Lemma lines_are_lines :
  lines = map (fun l => let '(a, b, c) := members l in [number a; number b; number c]) all_lines.
Proof. reflexivity. Qed.

Lemma in_all_lines : forall l, In l all_lines.
Proof. intros []; simpl; tauto. Qed.

(** Three squares in a line, in the words of the rules. *)
Lemma aligned_is_a_line : forall who g,
  aligned who g = true <-> exists l, forall s, on l s = true -> has who g (number s) = true.
Proof.
  intros who g. unfold aligned. rewrite lines_are_lines, existsb_exists. split.
  - intros (i & I & H). apply in_map_iff in I as (l & <- & _). exists l. intros s E. unfold on in E.
    destruct (members l) as [[a b] c]. simpl in H. rewrite !andb_true_iff in H.
    destruct (same_spec a s) as [->|], (same_spec b s) as [->|], (same_spec c s) as [->|]; tauto || easy.
  - intros [l L]. exists (let '(a, b, c) := members l in [number a; number b; number c]).
    split; [exact (in_map _ _ _ (in_all_lines l))|]. unfold on in L. destruct (members l) as [[a b] c]. simpl.
    rewrite !L by (rewrite same_refl, ?orb_true_r; easy). easy.
Qed.

Definition is_taken (who : option player) : bool := match who with Some _ => true | None => false end.

Lemma full_is_taken : forall g, is_full g = true <-> forall s, is_taken (nth (number s) g None) = true.
Proof.
  intro g. unfold is_full. rewrite negb_true_iff. split.
  - intros F s. destruct (is_taken _) eqn:T; [easy|]. rewrite <- F. apply existsb_exists.
    exists (number s). split; [apply in_nine, number_below_9|]. unfold is_free, is_taken in *. now destruct (nth _ _ _).
  - intro T. apply not_true_iff_false. intro X. apply existsb_exists in X as (i & I & F). apply in_nine in I.
    destruct (square_of_number i I) as [s <-]. specialize (T s). unfold is_free, is_taken in *. now destruct (nth _ _ _).
Qed.

Lemma every_legal_move : forall p m, well_formed p -> In m (legal_moves p) ->
  exists f s, m = (number f, number s).
Proof.
  intros p [f s] W I. destruct (square_of_number f (legal_field p f s W I)) as [g <-].
  destruct (square_of_number s (legal_spot p _ s I)) as [t <-]. now exists g, t.
Qed.

(** ** Symmetries of the square: lines stay lines *)

Record symmetry (to from : square -> square) : Prop := {
  to_from : forall s, to (from s) = s;
  from_to : forall s, from (to s) = s;
  lines_from_lines : forall l, exists k, forall s, on k s = on l (to s);
  lines_to_lines : forall l, exists k, forall s, on k s = on l (from s)
}.

(** ** Positions that are alike

    Spot [(f, s)] of the first is spot [(to f, to s)] of the second. *)
Record alike (to : square -> square) (p q : position) : Prop := {
  same_marks : forall f s, nth (number (to s)) (field q (number (to f))) None = nth (number s) (field p (number f)) None;
  same_owners : forall f, nth (number (to f)) (owners q) None = nth (number f) (owners p) None;
  same_active : exists a, active p = option_map number a /\ active q = option_map (fun f => number (to f)) a;
  same_turn : turn q = turn p;
  same_ply : ply q = ply p
}.

Section Alike.
  Variables to from : square -> square.
  Hypothesis sym : symmetry to from.

  Lemma to_inj : forall s t, number (to s) = number (to t) -> s = t.
  Proof. intros s t E. apply number_inj in E. rewrite <- (from_to _ _ sym s), E. apply from_to, sym. Qed.

  Lemma aligned_alike : forall who g h, (forall s, nth (number (to s)) h None = nth (number s) g None) ->
    aligned who h = aligned who g.
  Proof.
    intros who g h Same.
    assert (H : forall s, has who h (number (to s)) = has who g (number s)) by (intro s; unfold has; now rewrite Same).
    apply eq_true_iff_eq. rewrite !aligned_is_a_line. split; intros [l L].
    - destruct (lines_from_lines _ _ sym l) as [k K]. exists k. intros s E. rewrite <- H. apply L. now rewrite <- K.
    - destruct (lines_to_lines _ _ sym l) as [k K]. exists k. intros s E. rewrite <- (to_from _ _ sym s), H. apply L.
      now rewrite <- K.
  Qed.

  Lemma full_alike : forall g h, (forall s, nth (number (to s)) h None = nth (number s) g None) -> is_full h = is_full g.
  Proof.
    intros g h Same. apply eq_true_iff_eq. rewrite !full_is_taken. split; intros T s.
    - now rewrite <- Same.
    - now rewrite <- (to_from _ _ sym s), Same.
  Qed.

  Lemma won_alike : forall who p q, alike to p q -> has_won who q = has_won who p.
  Proof. intros who p q A. apply aligned_alike, A. Qed.

  Lemma legal_alike : forall p q f s, alike to p q ->
    In (number f, number s) (legal_moves p) <-> In (number (to f), number (to s)) (legal_moves q).
  Proof.
    intros p q f s A. rewrite !legal_moves_are, !(won_alike _ p q A). unfold is_free. rewrite (same_marks _ _ _ A).
    destruct (same_active _ _ _ A) as (a & E & E'). rewrite E, E'. pose proof (number_below_9 s).
    pose proof (number_below_9 (to s)). pose proof (number_below_9 f). pose proof (number_below_9 (to f)).
    assert (Some_ : option_map number a = Some (number f) <->
                    option_map (fun g => number (to g)) a = Some (number (to f))).
    { destruct a as [g|]; simpl; [|easy]. split; intro X; injection X as X; f_equal.
      - now apply number_inj in X as ->.
      - now apply to_inj in X as ->. }
    assert (None_ : option_map number a = None <-> option_map (fun g => number (to g)) a = None) by now destruct a.
    tauto.
  Qed.

  Lemma play_alike : forall p q f s, well_formed p -> well_formed q -> alike to p q ->
    In (number f, number s) (legal_moves p) ->
    alike to (play p (number f, number s)) (play q (number (to f), number (to s))).
  Proof.
    intros p q f s W W' A I. pose proof (proj1 (legal_alike p q f s A) I) as I'.
    assert (M : forall g t, nth (number (to t)) (field (play q (number (to f), number (to s))) (number (to g))) None =
                            nth (number t) (field (play p (number f, number s)) (number g)) None).
    { intros g t. destruct (same_spec f g) as [<-|N].
      - rewrite !field_played, (same_turn _ _ _ A) by auto using number_below_9. destruct (same_spec s t) as [<-|N].
        + rewrite !nth_put_same; [easy | rewrite (nine_spots p W) | rewrite (nine_spots q W')]; apply number_below_9.
        + rewrite !nth_put_other; [apply A | |]; intro E; apply N; [now apply number_inj | now apply to_inj].
      - rewrite !other_fields; [apply A | |]; intro E; apply N; symmetry; [now apply number_inj | now apply to_inj]. }
    split.
    - exact M.
    - intro g. simpl. unfold owners_after.
      assert (E : aligned (turn q) (put (number (to s)) (Some (turn q)) (field q (number (to f)))) =
                  aligned (turn p) (put (number s) (Some (turn p)) (field p (number f)))).
      { rewrite <- !field_played by auto using number_below_9. rewrite (same_turn _ _ _ A). apply aligned_alike, M. }
      assert (E' : is_free (owners q) (number (to f)) = is_free (owners p) (number f))
        by (unfold is_free; now rewrite (same_owners _ _ _ A)).
      rewrite E, E', (same_turn _ _ _ A). destruct (_ && _); [|apply A]. destruct (same_spec f g) as [<-|N].
      + rewrite !nth_put_same; [easy | rewrite (nine_owners p W) | rewrite (nine_owners q W')]; apply number_below_9.
      + rewrite !nth_put_other; [apply A | |]; intro E''; apply N; [now apply number_inj | now apply to_inj].
    - exists (if is_full (field (play p (number f, number s)) (number s)) then None else Some s). simpl.
      change (nth (number s) (put _ _ (fields p)) empty_grid) with (field (play p (number f, number s)) (number s)).
      change (nth (number (to s)) (put _ _ (fields q)) empty_grid)
        with (field (play q (number (to f), number (to s))) (number (to s))).
      rewrite (full_alike _ _ (M s)). now destruct (is_full _).
    - simpl. now rewrite (same_turn _ _ _ A).
    - rewrite !ply_play by easy. now rewrite (same_ply _ _ _ A).
  Qed.

  Theorem forces_alike : forall n p, forces n p -> well_formed p ->
    forall q, well_formed q -> alike to p q -> forces n q.
  Proof.
    intros n p F. induction F as [p Won L | p m T I F IH | p T N F IH]; intros W q W' A.
    - apply has_won_in_time; [now rewrite (won_alike _ p q A) | now rewrite (same_ply _ _ _ A)].
    - destruct (every_legal_move p m W I) as (f & s & ->). pose proof (proj1 (legal_alike p q f s A) I) as I'.
      apply by_his_move with (2 := I'); [now rewrite (same_turn _ _ _ A)|].
      apply IH; [now apply play_well_formed.. | now apply play_alike].
    - apply by_all_her_moves; [now rewrite (same_turn _ _ _ A) | |].
      + destruct (legal_moves p) as [|m l] eqn:E; [easy|]. assert (I : In m (legal_moves p)) by (rewrite E; now left).
        destruct (every_legal_move p m W I) as (f & s & ->). apply (legal_alike p q f s A) in I.
        intro None_. now rewrite None_ in I.
      + intros m I'. destruct (every_legal_move q m W' I') as (f & s & ->).
        rewrite <- (to_from _ _ sym f), <- (to_from _ _ sym s) in *. pose proof (proj2 (legal_alike p q _ _ A) I') as I.
        apply (IH _ I); [now apply play_well_formed.. | now apply play_alike].
  Qed.
End Alike.

(** ** Beginnings: moves from some position on, and their images *)

Definition beginning : Type := list (square * square).

Definition spots (l : beginning) : list spot := map (fun m => (number (fst m), number (snd m))) l.

Definition image (to : square -> square) (l : beginning) : beginning := map (fun m => (to (fst m), to (snd m))) l.

Fixpoint plays (p : position) (moves : list spot) : position :=
  match moves with [] => p | m :: moves => plays (play p m) moves end.

Fixpoint are_legal (p : position) (moves : list spot) : Prop :=
  match moves with [] => True | m :: moves => In m (legal_moves p) /\ are_legal (play p m) moves end.

Lemma plays_well_formed : forall moves p, well_formed p -> are_legal p moves ->
  well_formed (plays p moves) /\ ply (plays p moves) = ply p + length moves.
Proof.
  induction moves as [|m moves IH]; intros p W L; simpl; [split; [exact W | lia]|]. destruct L as [I L].
  destruct (IH _ (play_well_formed p m W I) L) as [W' P]. rewrite (ply_play p m W I) in P. split; [exact W' | lia].
Qed.

Lemma plays_alike : forall to from, symmetry to from -> forall l p q, well_formed p -> well_formed q -> alike to p q ->
  are_legal p (spots l) ->
  are_legal q (spots (image to l)) /\ alike to (plays p (spots l)) (plays q (spots (image to l))).
Proof.
  intros to from Sym l. induction l as [|[f s] l IH]; intros p q W W' A L; [easy|]. destruct L as [I L].
  pose proof (proj1 (legal_alike to from Sym p q f s A) I) as I'.
  destruct (IH _ _ (play_well_formed _ _ W I) (play_well_formed _ _ W' I') (play_alike to from Sym _ _ _ _ W W' A I) L).
  split; [now split | assumption].
Qed.

Lemma start_alike : forall to, alike to start start.
Proof.
  intro to. split; [| | now exists None | easy | easy].
  - assert (E : forall f s, nth (number s) (field start (number f)) None = None) by now intros [] [].
    intros f s. now rewrite !E.
  - assert (E : forall f, nth (number f) (owners start) None = None) by now intros [].
    intro f. now rewrite !E.
Qed.

Theorem forces_image : forall to from, symmetry to from -> forall l n, are_legal start (spots l) ->
  forces n (plays start (spots l)) ->
  are_legal start (spots (image to l)) /\ forces n (plays start (spots (image to l))).
Proof.
  intros to from Sym l n L F.
  destruct (plays_alike to from Sym l _ _ start_well_formed start_well_formed (start_alike to) L) as [L' A].
  split; [exact L'|]. apply (forces_alike to from Sym n _ F); [..|exact A];
    (apply plays_well_formed; [apply start_well_formed | assumption]).
Qed.

(** ** The eight symmetries *)

Definition transposed (s : square) : square :=
  match s with S0 => S0 | S1 => S3 | S2 => S6 | S3 => S1 | S4 => S4 | S5 => S7 | S6 => S2 | S7 => S5 | S8 => S8 end.

Definition mirrored (s : square) : square :=
  match s with S0 => S2 | S1 => S1 | S2 => S0 | S3 => S5 | S4 => S4 | S5 => S3 | S6 => S8 | S7 => S7 | S8 => S6 end.

Ltac find_line := intros []; solve [
  exists Row0; now intros [] | exists Row1; now intros [] | exists Row2; now intros [] | exists Column0; now intros []
  | exists Column1; now intros [] | exists Column2; now intros [] | exists Falling; now intros []
  | exists Rising; now intros [] ].

Lemma identity_symmetry : symmetry (fun s => s) (fun s => s).
Proof. split; [easy | easy | intro l; now exists l..]. Qed.

Lemma transposed_symmetry : symmetry transposed transposed.
Proof. split; [now intros [] | now intros [] | find_line..]. Qed.

Lemma mirrored_symmetry : symmetry mirrored mirrored.
Proof. split; [now intros [] | now intros [] | find_line..]. Qed.

Lemma symmetries_compose : forall to from to' from', symmetry to from -> symmetry to' from' ->
  symmetry (fun s => to (to' s)) (fun s => from' (from s)).
Proof.
  intros to from to' from' [A B C D] [A' B' C' D']. split.
  - intro s. now rewrite A', A.
  - intro s. now rewrite B, B'.
  - intro l. destruct (C l) as [k K]. destruct (C' k) as [k' K']. exists k'. intro s. now rewrite K', K.
  - intro l. destruct (D' l) as [k K]. destruct (D k) as [k' K']. exists k'. intro s. now rewrite K', K.
Qed.

(** Each with its inverse. *)
Definition symmetries : list ((square -> square) * (square -> square)) :=
  let both one two := (fun s => fst one (fst two s), fun s => snd two (snd one s)) in
  let t := (transposed, transposed) in
  let m := (mirrored, mirrored) in
  [(fun s => s, fun s => s); t; m; both t m; both m t; both t (both m t); both m (both t m); both t (both m (both t m))].

Lemma symmetries_are_symmetries : forall to from, In (to, from) symmetries -> symmetry to from.
Proof.
  pose proof identity_symmetry as I. pose proof transposed_symmetry as T. pose proof mirrored_symmetry as M.
  pose proof (symmetries_compose _ _ _ _ T M) as TM. pose proof (symmetries_compose _ _ _ _ M T) as MT.
  pose proof (symmetries_compose _ _ _ _ T MT) as TMT. pose proof (symmetries_compose _ _ _ _ M TM) as MTM.
  pose proof (symmetries_compose _ _ _ _ T MTM) as TMTM.
  intros to from H. repeat (destruct H as [E|H]; [injection E as <- <-; assumption|]). destruct H.
Qed.

(** To find one by a test. *)
Lemma some_symmetry : forall test : (square -> square) -> bool, existsb (fun both => test (fst both)) symmetries = true ->
  exists to from, symmetry to from /\ test to = true.
Proof.
  intros test S_. apply existsb_exists in S_ as ([to from] & I & T). exists to, from.
  split; [now apply symmetries_are_symmetries | exact T].
Qed.
