(** * Xavier's race, a relaxation of the game

    What Olivia can prevent in a game in which only Xavier can win, she can prevent in the game. In the race marks are
    placed as in the game; nobody owns a field; her lines count for nothing. He has won once he holds a *plan*: three
    fields in a line, and three spots in a line in each of them. His line in a field that she has won before is one more
    that counts, so the race is only better for him than the game.

    Plan: squares and lines as finite types; the race, and [she_loses m]: he can win it with [m] more marks of his, she
    moves first; symmetries of the square; a race [shows] a position through a symmetry, and each play keeps that; if
    Xavier can force a win in the game, she loses each race that shows it ([forces_is_lost_race]). *)

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

(** A line on which a test holds everywhere, if there is one. *)
Definition pick (test : line -> bool) : line := match find test all_lines with Some l => l | None => Row0 end.

Lemma pick_holds : forall test l, test l = true -> test (pick test) = true.
Proof.
  intros test l T. unfold pick. destruct (find test all_lines) as [k|] eqn:F; [now apply find_some in F|].
  pose proof (find_none _ _ F l (in_all_lines l)). congruence.
Qed.

(** ** The race *)

Record race := Race { mark : square -> square -> option player; target : option square }.

Definition is_taken (who : option player) : bool := match who with Some _ => true | None => false end.

(** Spot [s] of field [f] may be played. *)
Definition may (r : race) (f s : square) : Prop := mark r f s = None /\ (target r = None \/ target r = Some f).

Definition after (who : player) (r : race) (f s : square) : race :=
  let marks g t := if same f g && same s t then Some who else mark r g t in
  {| mark := marks; target := if forallb (fun t => is_taken (marks s t)) squares then None else Some s |}.

(** A line of fields, and a line of spots in each of them. *)
Record plan := Plan { big : line; small : square -> line }.

(** [(f, s)] belongs to a plan. *)
Definition within (w : plan) (f s : square) : Prop := on (big w) f = true /\ on (small w f) s = true.

Definition won (r : race) : Prop := exists w, forall f s, within w f s -> mark r f s = Some Xavier.

(** Olivia to move: whatever she replies, he can bring about that he has won within [m] more marks of his. *)
Fixpoint she_loses (m : nat) (r : race) : Prop :=
  won r \/
  (exists f s, may r f s) /\
  forall f s, may r f s ->
    match m with
    | 0 => False
    | S m => let r := after Olivia r f s in exists g t, may r g t /\ she_loses m (after Xavier r g t)
    end.

(** ** Symmetries of the square

    A symmetry renames the fields, and the spots of each field in the same way; lines stay lines. *)
Record symmetry (to from : square -> square) : Prop := {
  to_from : forall s, to (from s) = s;
  from_to : forall s, from (to s) = s;
  lines_from_lines : forall l, exists k, forall s, on k s = on l (to s)
}.

(** ** A race shows a position

    Its spot [(f, s)] is spot [(to f, to s)] of the position, and a field that is his there holds a line of his here. *)
Record shows (to : square -> square) (r : race) (p : position) : Prop := {
  same_marks : forall f s, mark r f s = nth (number (to s)) (field p (number (to f))) None;
  same_target : active p = option_map (fun f => number (to f)) (target r);
  owned_have_lines : forall f, has Xavier (owners p) (number (to f)) = true ->
    exists l, forall s, on l s = true -> mark r f s = Some Xavier
}.

Section Shown.
  Variables to from : square -> square.
  Hypothesis sym : symmetry to from.

  Lemma to_inj : forall s t, number (to s) = number (to t) -> s = t.
  Proof. intros s t E. apply number_inj in E. rewrite <- (from_to _ _ sym s), E. apply from_to, sym. Qed.

  (** Three squares of his in a line, in the words of the rules. *)
  Lemma aligned_on_a_line : forall g, aligned Xavier g = true ->
    exists l, forall s, on l s = true -> has Xavier g (number (to s)) = true.
  Proof.
    intros g A.
    assert (exists l, forall s, on l s = true -> has Xavier g (number s) = true) as [l L].
    { unfold aligned in A. rewrite lines_are_lines in A. apply existsb_exists in A as (i & I & H).
      apply in_map_iff in I as (l & <- & _). exists l. intros s E. unfold on in E.
      destruct (members l) as [[a b] c]. simpl in H. rewrite !andb_true_iff in H.
      destruct (same_spec a s) as [->|], (same_spec b s) as [->|], (same_spec c s) as [->|]; tauto || easy. }
    destruct (lines_from_lines _ _ sym l) as [k K]. exists k. intros s E. apply L. now rewrite <- K.
  Qed.

  Lemma has_is_mark : forall g s, has Xavier g s = true -> nth s g None = Some Xavier.
  Proof. intros g s H. unfold has in H. destruct (nth s g None) as [[]|]; easy. Qed.

  Lemma won_when_shown : forall r p, shows to r p -> has_won Xavier p = true -> won r.
  Proof.
    intros r p [M _ O] W. apply aligned_on_a_line in W as [l L].
    set (full := fun f k => forallb (fun s => implb (on k s) (has Xavier [mark r f s] 0)) squares).
    assert (full_spec : forall f k, full f k = true <-> forall s, on k s = true -> mark r f s = Some Xavier).
    { intros f k. unfold full. rewrite forallb_forall. split; intros H s.
      - intro E. specialize (H s (in_squares s)). rewrite E in H. simpl in H.
        destruct (mark r f s) as [[]|]; easy.
      - intros _. destruct (on k s) eqn:E; [|easy]. now rewrite (H s E). }
    exists (Plan l (fun f => pick (full f))). intros f s [B I]. simpl in *.
    destruct (O f (L f B)) as [k K]. apply full_spec in K. apply pick_holds in K.
    now apply (proj1 (full_spec _ _) K).
  Qed.

  (** His legal moves are moves of the race, and her moves of the race are legal moves. *)
  Lemma legal_may : forall r p f s, shows to r p -> In (number (to f), number (to s)) (legal_moves p) -> may r f s.
  Proof.
    intros r p f s [M T _] I. apply legal_moves_are in I as (_ & _ & A & _ & Free). split.
    - rewrite M. unfold is_free in Free. now destruct (nth _ _ None).
    - rewrite T in A. destruct (target r) as [a|]; simpl in A; [right|now left].
      destruct A as [A|[A _]]; [|easy]. f_equal. apply to_inj. congruence.
  Qed.

  Lemma may_legal : forall r p f s, shows to r p -> legal_moves p <> [] -> may r f s ->
    In (number (to f), number (to s)) (legal_moves p).
  Proof.
    intros r p f s [M T _] N [Free A]. apply legal_moves_are.
    destruct (legal_moves p) as [|m ms] eqn:E; [easy|].
    assert (I : In m (legal_moves p)) by (rewrite E; now left).
    repeat split; try (now apply (not_won_where_moves p m)); [|apply number_below_9|].
    - rewrite T. destruct A as [A|A]; rewrite A; simpl; [right|left]; auto using number_below_9.
    - unfold is_free. now rewrite <- M, Free.
  Qed.

  Lemma every_legal_move : forall p m, well_formed p -> In m (legal_moves p) ->
    exists f s, m = (number (to f), number (to s)).
  Proof.
    intros p [f s] W I.
    destruct (square_of_number f (legal_field p f s W I)) as [g <-].
    destruct (square_of_number s (legal_spot p _ s I)) as [t <-].
    exists (from g), (from t). now rewrite !(to_from _ _ sym).
  Qed.

  Lemma full_shown : forall g marks, (forall t, marks t = nth (number (to t)) g None) ->
    is_full g = forallb (fun t => is_taken (marks t)) squares.
  Proof.
    intros g marks M. apply eq_true_iff_eq. unfold is_full. rewrite negb_true_iff, forallb_forall. split.
    - intros Full t _. rewrite M. destruct (nth (number (to t)) g None) eqn:E; [easy|].
      enough (X : existsb (is_free g) nine = true) by congruence.
      apply existsb_exists. exists (number (to t)).
      split; [apply in_nine, number_below_9 | unfold is_free; now rewrite E].
    - intro All. apply not_true_iff_false. intro X. apply existsb_exists in X as (i & I & Free).
      apply in_nine in I. destruct (square_of_number i I) as [u <-].
      specialize (All (from u) (in_squares _)). rewrite M, (to_from _ _ sym) in All.
      unfold is_free in Free. now destruct (nth (number u) g None).
  Qed.

  (** A race goes on showing the game. *)
  Lemma shows_play : forall r p f s, well_formed p -> shows to r p ->
    In (number (to f), number (to s)) (legal_moves p) ->
    shows to (after (turn p) r f s) (play p (number (to f), number (to s))).
  Proof.
    intros r p f s W Sh I. pose proof (legal_may r p f s Sh I) as [Free _]. destruct Sh as [M T O].
    assert (M' : forall g t, mark (after (turn p) r f s) g t =
                 nth (number (to t)) (field (play p (number (to f), number (to s))) (number (to g))) None).
    { intros g t. unfold after; cbn [mark]. destruct (same_spec f g) as [<-|N]; cbn [andb].
      - rewrite field_played by auto using number_below_9.
        destruct (same_spec s t) as [<-|N].
        + rewrite nth_put_same; [easy|]. rewrite (nine_spots p W). apply number_below_9.
        + rewrite nth_put_other; [apply M|]. intro E. now apply N, to_inj.
      - rewrite other_fields; [apply M|]. intro E. now apply N, to_inj. }
    split.
    - exact M'.
    - cbn [play active]. change (nth (number (to s)) _ _) with (field (play p (number (to f),
        number (to s))) (number (to s))).
      rewrite (full_shown _ _ (M' s)). cbn [after target]. now destruct (forallb _ _).
    - intros g H. simpl in H. unfold owners_after in H.
      assert (old : has Xavier (owners p) (number (to g)) = true ->
                    exists l, forall t, on l t = true -> mark (after (turn p) r f s) g t = Some Xavier).
      { intro H'. destruct (O g H') as [l L]. exists l. intros t E. simpl.
        destruct (same_spec f g) as [<-|]; [|now apply L]. destruct (same_spec s t) as [<-|]; [|now apply L].
        rewrite (L s E) in Free. easy. }
      destruct (is_free (owners p) (number (to f)) && aligned _ _) eqn:New; [|now apply old].
      destruct (same_spec f g) as [<-|N].
      + apply andb_true_iff in New as [_ New]. unfold has in H.
        rewrite nth_put_same in H by (rewrite (nine_owners p W); apply number_below_9).
        destruct (turn p) eqn:Turn; [|easy]. apply aligned_on_a_line in New as [l L]. exists l. intros t E.
        rewrite M', field_played, Turn by auto using number_below_9. now apply has_is_mark, L.
      + apply old. unfold has in *. rewrite nth_put_other in H; [exact H|]. intro E. now apply N, to_inj.
  Qed.

  (** ** If Xavier can force a win in the game, Olivia loses the race

      From ply [ply p] on, he places marks up to ply [n] at [ply p + 2, ply p + 4, ...] if it is her turn, and at
      [ply p + 1, ply p + 3, ...] if it is his. *)
  Theorem forces_is_lost_race : forall n p, forces n p -> well_formed p -> forall r m, shows to r p ->
    (turn p = Olivia -> n < ply p + 2 * m + 2 -> she_loses m r) /\
    (turn p = Xavier -> has_won Xavier p = false -> n < ply p + 2 * m + 1 ->
     match m with 0 => False | S m => exists f s, may r f s /\ she_loses m (after Xavier r f s) end).
  Proof.
    intros n p F. induction F as [p Won L | p move T I F IH | p T N F IH]; intros W r m Sh.
    - split; [|congruence]. intros _ _. destruct m; left; now apply (won_when_shown r p).
    - split; [congruence|]. intros _ _ L.
      pose proof (play_well_formed p move W I) as W'. pose proof (forces_ply _ _ W' F) as Le.
      rewrite (ply_play p move W I) in Le.
      destruct (every_legal_move p move W I) as (f & s & ->).
      destruct m as [|m]; [lia|]. exists f, s. split; [now apply (legal_may r p)|].
      pose proof (shows_play r p f s W Sh I) as Sh'. rewrite T in Sh'.
      apply (IH W' _ m Sh'); [simpl; now rewrite T|]. rewrite ply_play by easy. lia.
    - split; [|congruence]. intros _ L.
      assert (lost : forall f s, may r f s ->
        match m with 0 => False | S m => exists g t, may (after Olivia r f s) g t /\
          she_loses m (after Xavier (after Olivia r f s) g t) end).
      { intros f s May. pose proof (may_legal r p f s Sh N May) as I.
        pose proof (shows_play r p f s W Sh I) as Sh'. rewrite T in Sh'.
        apply (IH _ I (play_well_formed p _ W I) _ m Sh'); [simpl; now rewrite T | |].
        - pose proof (play_wins_for_nobody_else p (number (to f), number (to s))) as Same.
          rewrite T in Same. simpl other in Same. rewrite Same. now apply not_won_where_moves with (1 := I).
        - rewrite ply_play by easy. lia. }
      assert (some : exists f s, may r f s).
      { destruct (legal_moves p) as [|move l] eqn:E; [easy|].
        assert (I : In move (legal_moves p)) by (rewrite E; now left).
        destruct (every_legal_move p move W I) as (f & s & ->). exists f, s. now apply (legal_may r p). }
      destruct m; right; split; assumption.
  Qed.
End Shown.
