export const prompt = () => "You are Ada.\n";
